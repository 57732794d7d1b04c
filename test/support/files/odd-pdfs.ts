import { createHash } from "node:crypto";
import { type Bytes, catalogOf, type PdfObject, pageOf, pdfOfObjects, stream } from "./pdf";

const PICTURE = "/Type /XObject /Subtype /Image";

/** A PDF of one page that is filled by a picture. */
const pdfOfPicture = (name: string, dictionary: string, data: Bytes) =>
  pdfOfObjects(name, [
    ...catalogOf([4]),
    pageOf(5, "", "/XObject << /I 6 0 R >>"),
    stream("", "q 400 0 0 400 90 200 cm /I Do Q"),
    stream(`${PICTURE} ${dictionary}`, data),
  ]);

/** A scanned page as many office scanners store it: JBIG2. All of its 64 by 64 dots are black. */
export function jbig2Pdf(name: string): File {
  const side = 64;
  const size = [...uint32(side), ...uint32(side)];
  // In the code of fax machines: the first row has 0 white and 64 black dots; all others repeat the row above.
  const firstRow = "001" + "00110101" + "0000001111" + "0000110111";
  const end = "000000000001".repeat(2);
  const rows = bits(firstRow + "11".repeat(side - 1) + end);
  const page = [...size, ...uint32(0), ...uint32(0), 0, 0, 0];
  const region = [...size, ...uint32(0), ...uint32(0), 0, 1, ...rows];
  const segment = (number: number, type: number, data: number[]) => [
    ...[...uint32(number), type, 0, 1, ...uint32(data.length)],
    ...data,
  ];
  const dictionary = `/Filter /JBIG2Decode /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 1`;
  return pdfOfPicture(name, dictionary, new Uint8Array([...segment(0, 48, page), ...segment(1, 38, region)]));
}

/** 32 by 32 dots, their left half black, compressed by OpenJPEG. */
const JPEG_2000 =
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAIAAAACAAAQcHAAAAAAAPY29scgEAAAAAABEAAACTanAyY/9P/1EAKQAAAAAAIAAAACAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAAAQcBAf9SAAwAAAABAAAEBAAB/1wABEBA/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAIQAB/5PcohFQVJLrvrDNfkCiUZnTSvtj/9k=";
const JPX = "/Filter /JPXDecode /Width 32 /Height 32 /ColorSpace /DeviceGray /BitsPerComponent 8";

/** A page with a picture in JPEG 2000. */
export const jpeg2000Pdf = (name: string): File => pdfOfPicture(name, JPX, Uint8Array.fromBase64(JPEG_2000));

/** A page whose picture cannot be decoded. */
export const damagedPicturePdf = (name: string): File =>
  pdfOfPicture(name, JPX, Uint8Array.fromBase64(JPEG_2000).fill(7, 60));

/** A PDF whose second page is missing. */
export const missingPagePdf = (name: string): File =>
  pdfOfObjects(name, [...catalogOf([4, 9]), pageOf(5), stream("", "BT /F 96 Tf 90 680 Td (1) Tj ET")]);

/** A PDF of one page, which its page tree lists a thousand million times. */
export function endlessPdf(name: string): File {
  const thousandOf = (child: number, count: number, parent = ""): PdfObject => [
    `<< /Type /Pages ${parent} /Kids [${`${child} 0 R `.repeat(1000)}] /Count ${count} >>`,
  ];
  const [catalog = [], , font = []] = catalogOf([]);
  return pdfOfObjects(name, [
    ...[catalog, thousandOf(4, 1e9), font],
    ...[thousandOf(5, 1e6, "/Parent 2 0 R"), thousandOf(6, 1000, "/Parent 4 0 R")],
    ...[pageOf(7), stream("", "BT /F 96 Tf 90 680 Td (1) Tj ET")],
  ]);
}

const FILL = Uint8Array.fromHex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a");

/** A PDF whose text can only be read with the password, encrypted as in PDF 1.3. */
export function lockedPdf(name: string, password: string, text: string): File {
  const id = new Uint8Array(16).fill(1);
  const user = Uint8Array.from([...new TextEncoder().encode(password), ...FILL]).slice(0, 32);
  const permissions = Uint8Array.of(0xfc, 0xff, 0xff, 0xff);
  const owner = rc4(md5(user).slice(0, 5), user);
  const key = md5(user, owner, permissions, id).slice(0, 5);
  const contents = `BT /F 48 Tf 60 680 Td (${text}) Tj ET`;
  const contentsKey = md5(key, Uint8Array.of(5, 0, 0, 0, 0)).slice(0, 10);
  const objects = [
    ...catalogOf([4]),
    pageOf(5),
    stream("", rc4(contentsKey, new TextEncoder().encode(contents))),
    [`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toHex()}> /U <${rc4(key, FILL).toHex()}> >>`],
  ];
  return pdfOfObjects(name, objects, `/Encrypt 6 0 R /ID [<${id.toHex()}> <${id.toHex()}>]`);
}

const uint32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

const bits = (text: string) =>
  (text.padEnd(Math.ceil(text.length / 8) * 8, "0").match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  );

function md5(...parts: Bytes[]): Bytes {
  const hash = createHash("md5");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** The cipher of old PDFs. */
function rc4(key: Bytes, data: Bytes): Bytes {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index] ?? 0;
  const swap = (one: number, other: number) => {
    const value = at(one);
    state[one] = at(other);
    state[other] = value;
  };
  for (let index = 0, other = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255;
    swap(index, other);
  }
  let [one, other] = [0, 0];
  return data.map((byte) => {
    one = (one + 1) & 255;
    other = (other + at(one)) & 255;
    swap(one, other);
    return byte ^ at((at(one) + at(other)) & 255);
  });
}
