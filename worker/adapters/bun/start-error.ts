/** Why the server cannot start, in one line for the operator. */
export class StartError extends Error {}

/** Another start would end the same way. */
export class PermanentStartError extends StartError {}
