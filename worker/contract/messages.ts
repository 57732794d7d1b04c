import { PRODUCT_NAME } from "./product";

/** The specification's English validation messages, by translation key. */
export const MESSAGES = {
  invalidEmailAddress: "Invalid email address",
  invalidEmail: "Invalid email",
  invalidPhone: "Invalid phone number format",
  invalidRecipientPhone: "Invalid phone number format. Must include country code",
  invalidCountryCode: "Invalid country code format",
  passwordRequired: "Password is required",
  currentPasswordRequired: "Current password is required",
  passwordTooShort: "Password must be at least 6 characters",
  passwordsDontMatch: "Passwords don't match",
  firstNameRequired: "First name is required",
  recipientNameRequired: "Recipient name is required",
  subjectRequired: "Subject is required",
  documentNameRequired: "Document name is required",
  documentNamesUnique: "Document names must be unique",
  messageRequired: "Message is required",
  fieldNameRequired: "Field name is required",
  nameRequired: "Name is required",
  templateFieldsRequired: "At least one document is required",
  invalidFileNameRule: "The rule contains an unknown placeholder",
  invalidFileType: "Invalid file type",
  invalidDate: "Invalid date",
  dateInPast: "The date cannot be in the past",
  dateTooEarly: "The date cannot be before 1900",
  emailNeeded: "An email address is required to notify by email",
  phoneNeeded: "A phone number is required to notify by SMS",
  sentRecipientName: `Recipient name is required for non-draft ${PRODUCT_NAME}`,
  sentSubject: `Subject is required for non-draft ${PRODUCT_NAME}`,
  sentContact: `Either email or phone number is required for non-draft ${PRODUCT_NAME}`,
  sentDocuments: `At least one document is required for non-draft ${PRODUCT_NAME}`,
  sentDocumentName: `Document name is required for non-draft ${PRODUCT_NAME}`,
} as const;

export type MessageKey = keyof typeof MESSAGES;
