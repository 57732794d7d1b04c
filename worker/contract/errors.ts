import type { Brand } from "./brand";
import type { ConfirmationMethod, Language } from "./options";

const INVALID_API_TOKEN = "This API token is unknown, expired or revoked";
const VIEWER_ROLE = "Viewers can look at everything and change nothing";

/**
 * Every error of the HTTP API: its stable code, its status and its English message. The error's parameters replace
 * `{{name}}`. Clients translate by the code.
 */
export const ERRORS = {
  validation: { status: 400, message: "Please check the highlighted fields" },
  missing_placeholder: { status: 400, message: "There is no value for {{names}}" },
  malformed_json: { status: 400, message: "The request is not valid JSON" },
  malformed_multipart: { status: 400, message: "The upload could not be read. Please try again" },
  invalid_cursor: { status: 400, message: "The cursor is not valid" },
  expired_needs_date: {
    status: 400,
    message: "The link has expired. Please choose the day until which it works again",
  },
  invalid_token: { status: 400, message: "This link is invalid or has expired" },
  invalid_code: {
    status: 400,
    message:
      "This code is not correct. Please check it or use a new one, and for an authenticator app check the phone’s clock",
  },
  set_up_expired: {
    status: 409,
    message: "The set-up took too long, or was finished in another window. Please start again",
  },
  wrong_password: { status: 400, message: "Current password is incorrect" },
  invalid_idempotency_key: { status: 400, message: "The Idempotency-Key must have 1 to 255 characters" },
  idempotency_unsupported: {
    status: 400,
    message: "This call returns a secret and does not accept an Idempotency-Key",
  },
  nothing_to_submit: { status: 400, message: "Please add at least one file" },
  invalid_upload_length: { status: 400, message: "Upload-Length must be the size of the file in bytes" },
  invalid_upload_metadata: {
    status: 400,
    message: "Upload-Metadata must have document and filename, each with its value in base64",
  },
  invalid_upload_offset: { status: 400, message: "Upload-Offset must be a number of bytes" },
  invalid_checksum: {
    status: 400,
    message: "Upload-Checksum must be sha256, a space and the SHA-256 of the bytes in base64",
  },
  missing_documents: { status: 400, message: "Please upload all required documents: {{document}}" },
  unknown_document: { status: 400, message: "“{{document}}” was not requested" },
  duplicate_document: { status: 400, message: "Only one file can be uploaded for “{{document}}”" },
  not_a_file: { status: 400, message: "“{{document}}” must be a file" },
  empty_file: { status: 400, message: "The file for “{{document}}” is empty" },
  invalid_file_name: { status: 400, message: "The file name for “{{document}}” is not valid" },
  request_interrupted: { status: 400, message: "The request was interrupted. Please try again" },
  upload_interrupted: {
    status: 400,
    message: "The upload was interrupted. Please try again",
  },
  upload_too_slow: {
    status: 408,
    message: "The upload stopped because no data arrived for too long. Please try again",
  },
  infected_file: { status: 400, message: "A virus was found in the file for “{{document}}”" },
  logo_missing: { status: 400, message: "Please choose a logo" },
  infected_avatar: { status: 400, message: "A virus was found in the picture. It was not stored" },
  avatar_missing: { status: 400, message: "Please choose a picture" },
  sign_in_failed: { status: 400, message: "Signing in did not work. Please try again" },
  provider_email_unverified: {
    status: 409,
    message: "An account with this email already exists. Please sign in with your password",
  },
  sign_in_before_linking: {
    status: 409,
    message:
      "This account has a second factor. Please sign in with it first, then link the service in the settings",
  },
  provider_sign_in_required: {
    status: 403,
    message:
      "A second factor is required here. Please sign in with the service that is linked to your account",
  },
  provider_linked_elsewhere: {
    status: 409,
    message: "This sign-in already belongs to another account here",
  },
  provider_email_missing: {
    status: 400,
    message: "The sign-in service did not share an email address. Please ask its administrator",
  },
  domain_not_allowed: {
    status: 403,
    message: "Only verified addresses of certain domains can sign in here. Please ask the administrator",
  },
  unauthenticated: { status: 401, message: "Please sign in" },
  invalid_api_token: { status: 401, message: INVALID_API_TOKEN },
  invalid_credentials: { status: 401, message: "Invalid email or password" },
  second_factor_required: { status: 401, message: "Please confirm the sign-in with your second factor" },
  invalid_passkey: {
    status: 400,
    message: "This passkey does not work here. Please try again, or use another way",
  },
  challenge_ended: { status: 401, message: "This took too long, or was tried too often. Please start again" },
  account_disabled: {
    status: 403,
    message: "This account has been disabled. Please contact the administrator",
  },
  role_required: { status: 403, message: "Only owners of this workspace can do this" },
  viewer_role: { status: 403, message: VIEWER_ROLE },
  administrators_only: { status: 403, message: "Only administrators can do this" },
  setup_required: {
    status: 403,
    message: "The first account needs the setup link, which is in the server’s log",
  },
  sign_up_closed: { status: 403, message: "New accounts cannot be created here" },
  invitation_required: {
    status: 403,
    message: "You need an invitation to create an account. Please ask the administrator",
  },
  confirm_signed_in: {
    status: 403,
    message: "Please sign in to the account with this new address first, then open the link again",
  },
  verify_email: { status: 403, message: "Please verify your email address to send more envelopes" },
  verify_email_sms: { status: 403, message: "Please verify your email address to send text messages" },
  other_account: {
    status: 403,
    message: "This invitation is for another address. Please sign in with that one",
  },
  password_sign_in_off: {
    status: 403,
    message: "Signing in with a password is switched off here",
  },
  second_factor_setup_required: {
    status: 403,
    message: "Please set up a second factor first, in Settings",
  },
  cross_site: { status: 403, message: "This request came from another site" },
  reauthentication_required: { status: 403, message: "Please confirm that it’s you" },
  token_scope: { status: 403, message: "This API token is read-only" },
  token_not_allowed: { status: 403, message: "API tokens cannot do this. Please sign in" },
  no_files: { status: 404, message: "There are no files to download" },
  not_found: { status: 404, message: "Not found" },
  workspace_not_found: { status: 404, message: "Workspace not found" },
  contact_not_found: { status: 404, message: "Contact not found" },
  webhook_not_found: { status: 404, message: "Webhook not found" },
  template_not_found: { status: 404, message: "Template not found" },
  envelope_not_found: { status: 404, message: "Envelope not found" },
  submission_not_found: { status: 404, message: "This submission link is invalid or has expired" },
  too_many_tokens: { status: 409, message: "An account can have at most {{max}} API tokens" },
  email_taken: { status: 409, message: "An account with this email already exists" },
  last_administrator: {
    status: 409,
    message: "You are the only administrator. Please add the new address to ADMIN_EMAILS first",
  },
  already_member: { status: 409, message: "{{email}} is already a member of this workspace" },
  workspace_full: {
    status: 409,
    message: "A workspace can have at most {{max}} members and open invitations",
  },
  last_owner: {
    status: 409,
    message: "A workspace needs an owner. Please make somebody else an owner first",
  },
  last_workspace: { status: 409, message: "This is your only workspace. Please create another one first" },
  own_account: { status: 409, message: "You cannot do this to your own account" },
  disabled_account: { status: 409, message: "This account is disabled. Please enable it first" },
  invitations_off: { status: 409, message: "Nobody can be invited while sign-up is switched off" },
  account_changed: {
    status: 409,
    message: "Your account was changed in the meantime. Please reload the page",
  },
  last_sign_in: {
    status: 409,
    message: "This is the only way to sign in to your account. Please set a password first",
  },
  passkey_exists: { status: 409, message: "This passkey is already set up" },
  other_method: {
    status: 409,
    message: "You can confirm that it’s you without a mailed code: with your password, for example",
  },
  totp_missing: { status: 409, message: "Please set up an authenticator app first" },
  not_completed: { status: 409, message: "Only a submitted envelope can be reviewed" },
  document_not_received: { status: 409, message: "There is nothing to accept for “{{document}}”" },
  nothing_to_undo: { status: 409, message: "There is no review of “{{document}}” to undo" },
  document_has_submission: {
    status: 409,
    message: "“{{document}}” has a submitted file. It cannot be removed or renamed",
  },
  envelope_completed: { status: 409, message: "A completed envelope cannot be changed" },
  envelope_already_sent: { status: 409, message: "An envelope that was sent cannot become a draft" },
  envelope_changed: {
    status: 409,
    message: "The request was changed in the meantime. Please reload the page",
  },
  changed_meanwhile: {
    status: 409,
    message: "Somebody else has changed this in the meantime. Nothing was saved",
  },
  document_has_file: { status: 409, message: "There is already a file for “{{document}}”" },
  too_many_files: { status: 409, message: "The limit for “{{document}}” is {{max}} files" },
  too_many_uploads: {
    status: 409,
    message: "Too many uploads for this request are running. Please wait until one has finished",
  },
  uploads_unfinished: { status: 409, message: "Some files are still being uploaded" },
  offset_mismatch: { status: 409, message: "The upload continues at byte {{offset}}" },
  envelope_not_open: { status: 409, message: "This envelope is not waiting for its recipient" },
  recipient_unsubscribed: {
    status: 409,
    message:
      "{{recipient}} does not want mails from you. They can allow them again with the link in one of your earlier mails",
  },
  bulk_send_moved: {
    status: 409,
    message: "Not sent: the data was moved to this server before it was this recipient's turn",
  },
  file_held_back: {
    status: 409,
    message: "The file for “{{document}}” is still being checked for viruses. Please try again later",
  },
  account_full: {
    status: 409,
    message: "Your account has reached its limit of {{max}} entries of this kind. Please delete some first",
  },
  template_in_use: {
    status: 409,
    message:
      "The template has associated documents (foreign key constraint). Please delete the documents first",
  },
  webhook_off: { status: 409, message: "This webhook is switched off. Please switch it on first" },
  idempotency_running: { status: 409, message: "The first call with this Idempotency-Key is still running" },
  completed: { status: 410, message: "This submission has expired: it has already been completed" },
  expired: { status: 410, message: "This submission has expired" },
  tus_version: {
    status: 412,
    message: "This version of the upload protocol is not supported. Please use tus 1.0.0",
  },
  upload_too_long: {
    status: 413,
    message: "The upload is longer than the {{length}} bytes of its Upload-Length",
  },
  body_too_large: { status: 413, message: "The request is too large" },
  file_too_large: { status: 413, message: "The file for “{{document}}” is larger than {{maxMb}} MB" },
  logo_too_large: { status: 413, message: "The logo is larger than {{maxMb}} MB" },
  logo_too_many_pixels: {
    status: 413,
    message: "The logo is larger than {{max}} pixels in width or height",
  },
  avatar_too_large: { status: 413, message: "The picture is larger than {{maxMb}} MB" },
  json_required: { status: 415, message: "The request must be sent as application/json" },
  multipart_required: { status: 415, message: "The files must be sent as multipart/form-data" },
  file_type_not_allowed: { status: 415, message: "“{{document}}” accepts only these file types: {{types}}" },
  file_content_mismatch: {
    status: 415,
    message: "The file for “{{document}}” isn’t a valid file of its type. Accepted file types: {{types}}",
  },
  logo_type_not_allowed: { status: 415, message: "The logo must be a PNG, JPEG or WebP image" },
  avatar_type_not_allowed: { status: 415, message: "The picture must be a JPG, GIF, PNG or WebP image" },
  invalid_content_type: {
    status: 415,
    message: "The bytes must be sent as application/offset+octet-stream",
  },
  idempotency_mismatch: {
    status: 422,
    message: "This Idempotency-Key was already used for another call",
  },
  upload_locked: {
    status: 423,
    message: "Another request is uploading this file at the moment. Please try again shortly",
  },
  checksum_mismatch: {
    status: 460,
    message: "The bytes do not match Upload-Checksum, and none of them were stored. Please send them again",
  },
  range_not_satisfiable: { status: 416, message: "That part of the file does not exist" },
  too_many_messages: {
    status: 429,
    message:
      "{{recipient}} can get {{limit}} messages an hour from you. Please try again later; nothing was changed",
  },
  too_many_texts: {
    status: 429,
    message:
      "Your account can send {{limit}} text messages a day. Please try again later; nothing was changed",
  },
  recipient_busy: {
    status: 429,
    message:
      "{{recipient}} gets too many messages at the moment. Please try again later; nothing was changed",
  },
  too_many_invitations: {
    status: 429,
    message:
      "A new account can send {{limit}} envelopes a day. Please try again tomorrow; nothing was changed",
  },
  too_many_changes: {
    status: 429,
    message:
      "Your account can make {{limit}} changes a minute. Please try again shortly; nothing was changed",
  },
  rate_limited: { status: 429, message: "Too many attempts. Please try again later" },
  internal: {
    status: 500,
    message: "Something went wrong on our side. Nothing was changed; please try again",
  },
  unavailable: { status: 503, message: "The service is busy. Nothing was changed; please try again shortly" },
  secret_key_missing: {
    status: 503,
    message: "This does not work because the server’s secret key is missing. Please tell the administrator",
  },
  scanner_unavailable: {
    status: 503,
    message:
      "The picture cannot be checked for viruses at the moment. Nothing was changed; please try again later",
  },
  storage_full: { status: 507, message: "There is no space left. Nothing was stored" },
} as const;

/** The `code` in the response, if it differs from the key: one code may have two messages. */
export const CODES: Partial<Record<ErrorCode, string>> = {
  invalid_api_token: "invalid_token",
  viewer_role: "role_required",
};

export type ErrorCode = keyof typeof ERRORS;

/** By message, the keys that `CODES` lists: the browser tells them apart without the whole table. */
export const KEYS_BY_MESSAGE: Readonly<Record<string, ErrorCode>> = {
  [INVALID_API_TOKEN]: "invalid_api_token",
  [VIEWER_ROLE]: "viewer_role",
};

/** One invalid input field; `path` is dotted, such as `documents.0.name`. */
export type Issue = { path: string; message: string };

/** Values for the `{{name}}` placeholders, so that clients can translate the message. */
export type ErrorParams = Record<string, string | number>;

/** What the holder of a link may see after the submission. */
export type SubmittedList = {
  submittedAt: string;
  files: { documentName: string; fileName: string; fileSize: number }[];
};

/** How the page of a link that no longer works looks. */
export type LinkView = { language?: Language; brand: Brand | null };

/** Workspaces that need another owner first. */
export type OwnedWorkspaces = { id: number; name: string }[];

/** Of `reauthentication_required` and `second_factor_required`: how the user can confirm that it is them. */
export type ConfirmationMethods = ConfirmationMethod[];

/** Who changed an entry since it was read, and when. */
export type ChangedMeanwhile = {
  changedBy: { firstName: string | null; lastName: string | null };
  updatedAt: string;
};

/** The body of every error response; that of `completed` has the list of what was submitted. */
export type ErrorBody = {
  message: string;
  code: string;
  issues?: Issue[];
  params?: ErrorParams;
  workspaces?: OwnedWorkspaces;
  challenge?: string;
  methods?: ConfirmationMethods;
} & Partial<SubmittedList> &
  Partial<LinkView> &
  Partial<ChangedMeanwhile>;
