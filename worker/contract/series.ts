const IF_OPEN = ["send", "skip"] as const;
/** What an occurrence does for recipients who have not completed the envelope before. */
export type IfOpen = (typeof IF_OPEN)[number];

const OCCURRENCE_STATES = ["sent", "skipped", "missed"] as const;
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number];

const PAUSE_REASONS = ["person", "left", "moved"] as const;
/** By a person, since the account that it is sent under has left, or since the data was moved to this server. */
export type PauseReason = (typeof PAUSE_REASONS)[number];
