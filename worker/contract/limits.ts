const KIB = 1024;
const MIB = 1024 * KIB;

/** Lengths in characters, sizes in bytes, counts in items. */
export const LIMITS = {
  name: 200,
  tokenName: 100,
  email: 254,
  phone: 32,
  /** An ISO date with time and offset. */
  timestamp: 40,
  subject: 500,
  search: 200,
  filter: 200,
  text: 10_000,
  documentsPerEnvelope: 100,
  /** Of a list that is narrowed to them. */
  listedIds: 500,
  option: 200,
  /** The least or the greatest answer. */
  bound: 24,
  fileTypesPerDocument: 50,
  /** Typed, with spaces. */
  code: 40,
  passwordMin: 6,
  passwordMax: 200,
  brandName: 100,
  brandFooter: 500,
  passkeysPerAccount: 20,
  passkeyName: 100,
  webhookUrl: 2000,
  filesPerDocument: 20,
  attachment: 20 * MIB,
  attachmentsPerDocument: 3,
  reminderDays: 6,
  /** Before a document ends to be valid. */
  renewDays: 180,
  /** From the day of sending to a date of a template. */
  templateDays: 365,
  /** From today to the day on which an envelope is sent. */
  sendDaysAhead: 366,
  submissionNote: 2000,
  reason: 500,
  reminderNote: 500,
  contactsPerImport: 1000,
  /** Of contacts that one call changes, deletes or exports. */
  contactsAtOnce: 1000,
  tag: 50,
  tagsPerContact: 20,
  recipientsPerBulkSend: 500,
  columnsPerRecipient: 100,
  columnValue: 2000,
  seriesEvery: 12,
  seriesTimes: 1000,
  envelopesPerArchive: 100,
  pageMax: 1000,
  filterMax: 500,
  /** As much as MAX_ACCOUNT_MB takes. */
  accountQuota: 1_000_000_000 * MIB,
} as const;

/** Those that only the server checks: no page loads them. */
export const SERVER_LIMITS = {
  /** Before the due date. */
  reminderDaysBefore: 60,
  reminderDaysAfter: 30,
  cursor: 4000,
  deliveriesPage: 100,
  seriesPerWorkspace: 200,
  avatar: 5 * MIB,
  optionsPerQuestion: 50,
  fileType: 20,
  columnName: 200,
  jsonBody: MIB,
  timeZone: 64,
  logo: MIB,
  fileName: 255,
  /** Of the texts and requested documents of all its envelopes, with filled placeholders. */
  bulkSend: 20 * MIB,
  webhooksPerAccount: 20,
  contactsPerAccount: 20_000,
  attachmentsPerWorkspace: 20_000,
  templatesPerAccount: 2000,
  envelopesPerAccount: 100_000,
  workspacesPerAccount: 50,
  /** Of an answer in a multipart body, and of an option in one. */
  answerBytes: 40_000,
  optionBytes: 1000,
  /** Of an envelope, with what was replaced: whoever reads it keeps others waiting for all of it. */
  submittedFiles: 6000,
  submittedAnswers: 6000,
  submittedAnswerBytes: 10 * MIB,
  /** Of several envelopes. */
  filesPerArchive: 20_000,
  /** Further changes by accounts are rejected; recipients, deliveries and deletions are not. */
  eventsPerEnvelope: 10_000,
  sessionsPerAccount: 1000,
  devicesPerAccount: 50,
  /** Of those that succeeded, and of those that failed. */
  signInsPerAccount: 500,
  /** In 24 hours. */
  idempotencyKeysPerAccount: 10_000,
  /** In base64url. */
  credentialId: 1400,
  passkeyPart: 10_000,
  transports: 10,
  transport: 40,
  apiTokensPerAccount: 100,
  /** The latest ones of a list. */
  bulkSendsPage: 20,
  pageBytes: MIB,
  /** Of the width and height of a logo or picture. */
  imagePixels: 4000,
  /** The most used ones of a workspace. */
  tagsListed: 500,
} as const;
