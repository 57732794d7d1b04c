declare const JSON_BODY: unique symbol;

/** JSON of this shape. */
export type JsonText<Body> = string & { readonly [JSON_BODY]?: Body };
