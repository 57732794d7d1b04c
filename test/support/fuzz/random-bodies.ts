import * as fc from "fast-check";
import type { Client } from "../api/client";
import { concatBytes, multipart, type Part, trickle } from "../api/multipart";
import { inHundred, mostly, type Runs } from "./arbitraries";
import { expectNoFault } from "./expect-no-fault";

const PART_NAMES = [
  "Contract",
  "Photo",
  "contract",
  "",
  "é",
  "a%22b",
  "x".repeat(500),
  '"; filename="x.pdf',
  "\r\nX: y",
  "\0",
];
const FILE_NAMES = [
  "a.pdf",
  "a.png",
  "a",
  ".pdf",
  "..",
  "../a.pdf",
  "a.pdf%00",
  "🎉.pdf",
  "\u202e.pdf",
  "x".repeat(3000),
  "a.PDF",
  undefined,
];
const PART_HEADERS = [
  "",
  "\r\n",
  "Content-Disposition\r\n\r\n",
  "Content-Disposition: form-data\r\n\r\n",
  ": x\r\n\r\n",
  `X: ${"y".repeat(20_000)}\r\n\r\n`,
  "Content-Disposition: form-data; name=Contract; filename*=UTF-8''%zz\r\n\r\n",
  "Content-Disposition: form-data; name=Contract; filename=a.pdf\r\nContent-Type: multipart/mixed; boundary=----edge\r\n\r\n",
  'Content-Disposition: form-data; name="Contract"; filename="a.pdf"\r\nContent-Disposition: form-data; name="Photo"\r\n\r\n',
];
const CONTENTS = ["", "x", "\r\n", "--", "\r\n--", "\r\n------edge", "\0".repeat(5000)];

/** A part according to the multipart grammar, with mistakes anywhere. */
const partWith = (files: Uint8Array[]): fc.Arbitrary<Part> =>
  fc
    .record({
      name: fc.constantFrom(...PART_NAMES),
      fileName: fc.constantFrom(...FILE_NAMES),
      content: mostly(50, fc.constantFrom(...files), fc.constantFrom(...CONTENTS)),
      headers: mostly(80, fc.constant(undefined), fc.constantFrom(...PART_HEADERS)),
    })
    .map(({ headers, ...part }) => ({ ...part, ...(headers !== undefined && { headers }) }));

const boundaryAndClosing = fc
  .constantFrom("----edge", "b", "x".repeat(70), "a-", "'(x)+,")
  .chain((boundary) =>
    fc.record({
      boundary: fc.constant(boundary),
      closing: mostly(
        70,
        fc.constant(undefined),
        fc.constantFrom(
          "",
          "--",
          `--${boundary}`,
          `--${boundary}-`,
          `--${boundary}--`,
          `--${boundary}--\r\n--${boundary}\r\n`,
        ),
      ),
    }),
  );
const position = fc.double({ min: 0, max: 1, noNaN: true });
/** What is wrong with the body as a whole. */
const damage = fc.record({
  keep: mostly(80, fc.constant(1), position),
  change: mostly(
    80,
    fc.constant(undefined),
    fc.record({ at: position, byte: fc.integer({ min: 0, max: 255 }) }),
  ),
  twice: inHundred(10),
  type: mostly(
    90,
    fc.constant(undefined),
    fc.constantFrom(
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"x".repeat(252)}`,
      'multipart/form-data; boundary="',
      "multipart/form-data; boundary=other",
    ),
  ),
});

type RandomBody = { parts: Part[]; boundaryAndClosing: { boundary: string; closing: string | undefined } } & {
  damage: {
    keep: number;
    change: { at: number; byte: number } | undefined;
    twice: boolean;
    type: string | undefined;
  };
};

function encode({ parts, boundaryAndClosing, damage: { keep, change, twice, type } }: RandomBody) {
  const made = multipart(parts, boundaryAndClosing);
  let bytes = made.bytes.slice(0, Math.floor(made.bytes.length * keep));
  if (change && bytes.length > 0) bytes[Math.floor(change.at * (bytes.length - 1))] = change.byte;
  if (twice) bytes = concatBytes([new TextEncoder().encode("preamble\r\n"), bytes, bytes]);
  return { bytes, type: type ?? made.type };
}

/** The requested documents: a contract and a photo. */
const partsOf = ([contract, photo]: Uint8Array[]): Part[] => [
  { name: "Contract", fileName: "a.pdf", content: contract ?? "" },
  { name: "Photo", fileName: "a.png", content: photo ?? "" },
];

/**
 * Sends random multipart bodies to the upload of an avatar and to links that ask for a contract and a photo.
 * @throws Error if one is answered with a fault
 */
export async function sendRandomBodies(
  alice: Client,
  { files, openLink }: { files: Uint8Array[]; openLink: () => Promise<string> },
  runs: Runs,
): Promise<void> {
  let link = await openLink();
  const body = fc.record({
    // Most bodies are valid except for their damage.
    parts: mostly(60, fc.constant(partsOf(files)), fc.array(partWith(files), { maxLength: 4 })),
    boundaryAndClosing,
    damage,
    avatar: inHundred(20),
    chunks: mostly(50, fc.constant(undefined), fc.constantFrom(1, 3, 17, 1000, 1_000_000)),
  });
  const send = fc.asyncProperty(body, async ({ avatar, chunks, ...parts }) => {
    const { bytes, type } = encode(parts);
    const content = chunks !== undefined && bytes.length < 5000 ? trickle(bytes, chunks) : bytes;
    const path = avatar ? "/api/user/avatar" : link;
    const response = await alice.send("POST", path, content, { "content-type": type });
    expectNoFault(response, { bytes: bytes.toBase64(), type, chunks });
    if (response.status === 201) link = await openLink();
  });
  await fc.assert(send, runs);
}
