/** Extensions that name one format, the most usual one first. */
const EQUAL_EXTENSIONS: readonly (readonly string[])[] = [
  ["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"],
  ["tif", "tiff"],
  ["heic", "heif", "hif"],
  ["bmp", "dib"],
  ["html", "htm"],
  ["txt", "text"],
  ["md", "markdown"],
  ["yml", "yaml"],
  ["mpg", "mpeg", "mpe"],
  ["mov", "qt"],
  ["3gp", "3gpp"],
  ["wav", "wave"],
  ["aif", "aiff"],
  ["mid", "midi"],
  ["gz", "gzip"],
  ["ics", "ical"],
  ["vcf", "vcard"],
  ["crt", "cer"],
  ["p12", "pfx"],
];

/** The extensions that name the same format, this one among them. */
const equalsOf = (extension: string): readonly string[] =>
  EQUAL_EXTENSIONS.find((equal) => equal.includes(extension)) ?? [extension];

/** The first of the extensions that name the same format. */
export const formatOf = (extension: string): string => equalsOf(extension)[0] ?? extension;

/** All extensions of the files that a document takes, by the types that it asks for. */
export const acceptedExtensions = (allowed: readonly string[]): string[] => [
  ...new Set(allowed.flatMap((extension) => [extension, ...equalsOf(extension)])),
];
