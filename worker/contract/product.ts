/** The product's name: change this value to rebrand the app. */
export const PRODUCT_NAME = "Doculopes";

/** Precedes the recipient's name in an envelope's title, and is removed for display. */
export const TITLE_PREFIX = "Document Request for ";

/** An envelope's description where it has no message. It is stored in English and translated for display. */
export const DEFAULT_DESCRIPTION = "Please upload the requested documents.";

/** The name of an account's first workspace. It is stored in English, and translated for display until it is renamed. */
export const FIRST_WORKSPACE = "My Workspace";
