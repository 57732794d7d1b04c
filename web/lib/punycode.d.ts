declare module "punycode/punycode.es6.js" {
  /** An address or domain with each label in ASCII form decoded. */
  export function toUnicode(input: string): string;
}
