/** The kinds of file destinations, and whether a person connects one by signing in there or with credentials. */
const CONNECTED_BY = {
  microsoft: "grant",
  google: "grant",
  s3: "credentials",
  webdav: "credentials",
  folder: "credentials",
} as const satisfies Record<string, "grant" | "credentials">;
export type DestinationKind = keyof typeof CONNECTED_BY;
export type GrantedKind = {
  [Kind in DestinationKind]: (typeof CONNECTED_BY)[Kind] extends "grant" ? Kind : never;
}[DestinationKind];

export const DESTINATION_KINDS = Object.keys(CONNECTED_BY) as [DestinationKind, ...DestinationKind[]];

/** Whether a person connects it by signing in there. */
export const isGranted = (kind: DestinationKind): kind is GrantedKind => CONNECTED_BY[kind] === "grant";
export const GRANTED_KINDS = DESTINATION_KINDS.filter(isGranted) as [GrantedKind, ...GrantedKind[]];
