/** A handler of the app, as Hono lists it. */
export type RegisteredHandler = { method: string; path: string; handler: object };

/** The OpenAPI document without its servers, and the page that shows it with its style sheet. */
export type ApiDescription = { document: Record<string, unknown>; page: string; style: string };

/** Generates the description of these handlers, or loads what was generated of them when the app was built. */
export type LoadApiDescription = (handlers: readonly RegisteredHandler[]) => Promise<ApiDescription>;
