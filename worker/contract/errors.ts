const INVALID_API_TOKEN = "This API token is unknown, expired or revoked";
const VIEWER_ROLE = "Viewers can look at everything and change nothing";
const DESTINATION_DENIED = "The destination does not accept these credentials: {{reason}}";
const DESTINATION_MISSING = "The destination’s folder does not exist: {{reason}}";

/**
 * Every error of the HTTP API by its status: its stable code and its English message, in which the error's parameters
 * replace `{{name}}`. Clients translate by the code.
 */
const BY_STATUS = {
  400: {
    destination_denied: DESTINATION_DENIED,
    destination_missing: DESTINATION_MISSING,
    destination_refused: "The destination refused it: {{reason}}",
    destination_unreachable: "The destination does not answer: {{reason}}",
    destination_unavailable: "This kind of destination is not set up on this server",
    folder_not_found: "There is no such folder, or this account may not see it",
    validation: "Please check the highlighted fields",
    missing_placeholder: "There is no value for {{names}}",
    sms_country:
      "Text messages to the country of {{recipient}} are not possible here. Please notify by email",
    malformed_json: "The request is not valid JSON",
    malformed_multipart: "The upload could not be read. Please try again",
    invalid_cursor: "The cursor is not valid",
    expired_needs_date: "The link has expired. Please choose the day until which it works again",
    invalid_token: "This link is invalid or has expired",
    invalid_code:
      "This code is not correct. Please check it or use a new one, and for an authenticator app check the phone's clock",
    wrong_password: "Current password is incorrect",
    invalid_idempotency_key: "The Idempotency-Key must have 1 to 255 characters",
    idempotency_unsupported: "This call returns a secret and does not accept an Idempotency-Key",
    nothing_to_submit: "Please add at least one file",
    invalid_upload_length: "Upload-Length must be the size of the file in bytes",
    invalid_upload_metadata: "Upload-Metadata must have document and filename, each with its value in base64",
    invalid_upload_offset: "Upload-Offset must be a number of bytes",
    invalid_checksum: "Upload-Checksum must be sha256, a space and the SHA-256 of the bytes in base64",
    missing_documents: "Please upload all required documents: {{document}}",
    missing_valid_until: "Please enter the day until which it is valid: {{document}}",
    unknown_document: "“{{document}}” was not requested",
    duplicate_document: "Only one file can be uploaded for “{{document}}”",
    not_a_file: "“{{document}}” must be a file",
    not_an_answer: "“{{document}}” is a question, which a file does not answer",
    invalid_answer: "Please check the answer to “{{document}}”",
    empty_file: "The file for “{{document}}” is empty",
    invalid_file_name: "The file name for “{{document}}” is not valid",
    request_interrupted: "The request was interrupted. Please try again",
    upload_interrupted: "The upload was interrupted. Please try again",
    infected_file: "A virus was found in the file for “{{document}}”",
    logo_missing: "Please choose a logo",
    infected_avatar: "A virus was found in the picture. It was not stored",
    avatar_missing: "Please choose a picture",
    attachment_missing: "Please choose a form",
    infected_attachment: "A virus was found in the form. It was not stored",
    sign_in_failed: "Signing in did not work. Please try again",
    provider_email_missing:
      "The sign-in service did not share an email address. Please ask its administrator",
    invalid_passkey: "This passkey does not work here. Please try again, or use another way",
  },
  401: {
    unauthenticated: "Please sign in",
    invalid_api_token: INVALID_API_TOKEN,
    invalid_credentials: "Invalid email or password",
    second_factor_required: "Please confirm the sign-in with your second factor",
    challenge_ended: "This took too long, or was tried too often. Please start again",
  },
  403: {
    provider_sign_in_required:
      "A second factor is required here. Please sign in with the service that is linked to your account",
    domain_not_allowed:
      "Only verified addresses of certain domains can sign in here. Please ask the administrator",
    account_disabled: "This account has been disabled. Please contact the administrator",
    role_required: "Only owners of this workspace can do this",
    viewer_role: VIEWER_ROLE,
    administrators_only: "Only administrators can do this",
    setup_required: "The first account needs the setup link, which is in the server's log",
    sign_up_closed: "New accounts cannot be created here",
    administrators_invite:
      "{{email}} has no account here. Please ask an administrator to invite them, or invite people who have one",
    invitation_required: "You need an invitation to create an account. Please ask the administrator",
    confirm_signed_in: "Please sign in to the account with this address first, then open the link again",
    address_not_proved: "Please confirm your email address first, with the link that we mail you",
    verify_email: "Please verify your email address to send more envelopes",
    verify_email_sms: "Please verify your email address to send text messages",
    other_account: "This invitation is for another address. Please sign in with that one",
    password_sign_in_off: "Signing in with a password is switched off here",
    second_factor_setup_required: "Please set up a second factor first, in Settings",
    cross_site:
      "This page has another address than the one the server is set up for. Please tell the operator, who sets it with PUBLIC_URL",
    reauthentication_required: "Please confirm that it's you",
    token_scope: "This API token is read-only",
    token_not_allowed: "API tokens cannot do this. Please sign in",
  },
  404: {
    destination_not_found: "Destination not found",
    no_files: "There are no files to download",
    not_found: "Not found",
    workspace_not_found: "Workspace not found",
    contact_not_found: "Contact not found",
    webhook_not_found: "Webhook not found",
    template_not_found: "Template not found",
    attachment_not_found: "Form not found",
    envelope_not_found: "Envelope not found",
    series_not_found: "Series not found",
    recipient_not_found: "Recipient not found",
    submission_not_found: "This submission link is invalid or has expired",
  },
  408: {
    upload_too_slow: "The upload stopped because no data arrived for too long. Please try again",
  },
  409: {
    too_many_destinations: "A workspace can have at most {{max}} destinations",
    too_many_attachments: "A workspace can have at most {{max}} forms",
    set_up_expired: "The set-up took too long, or was finished in another window. Please start again",
    provider_email_unverified: "An account with this email already exists. Please sign in with your password",
    sign_in_before_linking:
      "This account has a second factor. Please sign in with it first, then link the service in the settings",
    provider_linked_elsewhere: "This sign-in already belongs to another account here",
    too_many_tokens: "An account can have at most {{max}} API tokens",
    email_taken: "An account with this email already exists",
    last_administrator: "You are the only administrator. Please add the new address to ADMIN_EMAILS first",
    already_member: "{{email}} is already a member of this workspace",
    workspace_full: "A workspace can have at most {{max}} members and open invitations",
    last_owner: "A workspace needs an owner. Please make somebody else an owner first",
    last_workspace: "This is your only workspace. Please create another one first",
    own_account: "You cannot do this to your own account",
    no_second_factor: "This account has no second factor or passkey",
    disabled_account: "This account is disabled. Please enable it first",
    message_ended:
      "This message cannot be sent again: it waits, was sent or cancelled, or its link has ended",
    invitations_off: "Nobody can be invited while sign-up is switched off",
    account_changed: "Your account was changed in the meantime. Please reload the page",
    last_sign_in: "This is the only way to sign in to your account. Please set a password first",
    passkey_exists: "This passkey is already set up",
    other_method: "You can confirm that it's you without a mailed code: with your password, for example",
    totp_missing: "Please set up an authenticator app first",
    not_completed: "Only a submitted envelope can be reviewed",
    document_not_received: "There is nothing to accept for “{{document}}”",
    document_answered: "“{{document}}” was already answered",
    nothing_to_undo: "There is no review of “{{document}}” to undo",
    document_has_submission: "“{{document}}” has a submitted file. It cannot be removed or renamed",
    envelope_completed: "A completed envelope cannot be changed",
    envelope_already_sent: "An envelope that was sent cannot become a draft",
    sent_before: "An envelope that was sent cannot be sent later",
    not_scheduled: "This envelope is not scheduled",
    envelope_changed: "The request was changed in the meantime. Please reload the page",
    changed_meanwhile: "Somebody else has changed this in the meantime. Nothing was saved",
    document_has_file: "There is already a file for “{{document}}”",
    too_many_files: "The limit for “{{document}}” is {{max}} files",
    too_many_uploads: "Too many uploads for this request are running. Please wait until one has finished",
    uploads_unfinished: "Some files are still being uploaded",
    offset_mismatch: "The upload continues at byte {{offset}}",
    envelope_not_open: "This envelope is not waiting for its recipient",
    recipient_unsubscribed:
      "{{recipient}} does not want emails from you. They can allow them again with the link in one of your earlier emails",
    bulk_send_moved: "Not sent: the data was moved to this server before it was this recipient's turn",
    bulk_send_stopped:
      "Not sent: the sending account was disabled or reset, or its API token ended, before this recipient's turn",
    contact_gone: "This contact, or their address, was deleted",
    too_many_series: "A workspace can have at most {{max}} series. Please delete some first",
    too_many_recipients: "A series can have at most {{max}} recipients",
    no_recipients: "A series needs a recipient. Please delete the series instead",
    already_done: "This was already sent or skipped",
    no_occurrence_left: "Nothing is left to send",
    file_held_back: "The file for “{{document}}” is still being checked for viruses. Please try again later",
    account_full:
      "Your account has reached its limit of {{max}} entries of this kind. Please delete some first",
    template_in_use:
      "The template has associated documents (foreign key constraint). Please delete the documents first",
    webhook_off: "This webhook is switched off. Please switch it on first",
    idempotency_running: "The first call with this Idempotency-Key is still running",
  },
  410: {
    completed: "This submission has expired: it has already been completed",
    expired: "This submission has expired",
    link_replaced: "This link was replaced. A newer message has the new link.",
  },
  412: {
    tus_version: "This version of the upload protocol is not supported. Please use tus 1.0.0",
  },
  413: {
    upload_too_long: "The upload is longer than the {{length}} bytes of its Upload-Length",
    body_too_large: "The request is too large",
    bulk_too_large:
      "The requests to all recipients together are larger than {{maxMb}} MB. Shorten the texts, or divide the list",
    file_too_large: "The file for “{{document}}” is larger than {{maxMb}} MB",
    logo_too_large: "The logo is larger than {{maxMb}} MB",
    logo_too_many_pixels: "The logo is larger than {{max}} pixels in width or height",
    avatar_too_large: "The picture is larger than {{maxMb}} MB",
    avatar_too_many_pixels: "The picture is larger than {{max}} pixels in width or height",
    attachment_too_large: "The form is larger than {{maxMb}} MB",
  },
  415: {
    json_required: "The request must be sent as application/json",
    multipart_required: "The files must be sent as multipart/form-data",
    file_type_not_allowed: "“{{document}}” accepts only these file types: {{types}}",
    file_content_mismatch:
      "The file for “{{document}}” isn't a valid file of its type. Accepted file types: {{types}}",
    logo_type_not_allowed: "The logo must be a PNG, JPEG or WebP image",
    avatar_type_not_allowed: "The picture must be a JPG, GIF, PNG or WebP image",
    attachment_type_not_allowed: "The form must be a PDF, Word, Excel, PNG or JPEG file",
    invalid_content_type: "The bytes must be sent as application/offset+octet-stream",
  },
  416: {
    range_not_satisfiable: "That part of the file does not exist",
  },
  422: {
    idempotency_mismatch: "This Idempotency-Key was already used for another call",
  },
  423: {
    upload_locked: "Another request is uploading this file at the moment. Please try again shortly",
  },
  429: {
    too_many_messages:
      "{{recipient}} can get {{limit}} messages an hour from you. Please try again later; nothing was changed",
    too_many_texts:
      "Your account can send {{limit}} text messages a day. Please try again later, or divide a list of more than {{limit}} recipients; nothing was changed",
    too_many_mails:
      "Your account can send {{limit}} emails a day. Please try again later, or divide a list of more than {{limit}} recipients; nothing was changed",
    sending_paused:
      "This site has sent as many messages as it may in a day. Please try again later; nothing was changed",
    recipient_busy:
      "{{recipient}} gets too many messages at the moment. Please try again later; nothing was changed",
    too_many_invitations:
      "A new account can send {{limit}} envelopes a day. Please try again tomorrow, or divide a list of more than {{limit}} recipients; nothing was changed",
    too_many_changes:
      "Your account can make {{limit}} changes a minute. Please try again shortly; nothing was changed",
    rate_limited: "Too many attempts. Please try again later",
  },
  460: {
    checksum_mismatch:
      "The bytes do not match Upload-Checksum, and none of them were stored. Please send them again",
  },
  500: {
    internal: "Something went wrong on our side. Nothing was changed; please try again",
  },
  503: {
    unavailable: "The service is busy. Nothing was changed; please try again shortly",
    secret_key_missing:
      "This does not work because the server's secret key is missing. Please tell the administrator",
    scanner_unavailable:
      "The file cannot be checked for viruses at the moment. Nothing was changed; please try again later",
  },
  507: {
    storage_full: "There is no space left. Nothing was stored",
  },
} as const;

type ByStatus = typeof BY_STATUS;
export type ErrorCode = { [Status in keyof ByStatus]: keyof ByStatus[Status] }[keyof ByStatus];

/** The status and the English message of each error. The browser's bundles leave it out. */
export const ERRORS = /* @__PURE__ */ byCode();

function byCode() {
  const errors = Object.entries(BY_STATUS).flatMap(([status, messages]) =>
    Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }]),
  );
  return Object.fromEntries(errors) as Record<ErrorCode, { status: number; message: string }>;
}

/** The `code` in the response, if it differs from the key: one code may have several messages. */
export const CODES: Partial<Record<ErrorCode, string>> = {
  destination_denied: "destination_refused",
  destination_missing: "destination_refused",
  invalid_api_token: "invalid_token",
  viewer_role: "role_required",
};

/** By message, the keys that `CODES` lists: the browser tells them apart without the whole table. */
export const KEYS_BY_MESSAGE: Readonly<Record<string, ErrorCode>> = {
  [DESTINATION_DENIED]: "destination_denied",
  [DESTINATION_MISSING]: "destination_missing",
  [INVALID_API_TOKEN]: "invalid_api_token",
  [VIEWER_ROLE]: "viewer_role",
};
