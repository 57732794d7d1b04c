import { version } from "../../package.json";

/** The version of the app, as package.json has it. */
export const VERSION: string = version;
