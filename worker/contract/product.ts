/** The product's name: the one value an operator changes to put their own in its place. */
export const PRODUCT_NAME = "Doculopes";

/** Stands before the recipient's name in an envelope's title, and is removed from it for display. */
export const TITLE_PREFIX = "Document Request for ";
