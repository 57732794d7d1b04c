import type { Locator, Page } from "playwright-core";
import type { EnvelopeView } from "../../../worker/features/envelopes/envelope-view";
import { sha256 } from "../files/files";
import type { TestSite, VisitOptions, Visitor } from "./browser";

type DocumentInput = {
  name: string;
  description?: string;
  required?: boolean;
  multiple?: boolean;
  reasonAllowed?: boolean;
  allowedFileTypes?: string[];
  kind?: "yesNo";
};

export const PASSPORT = {
  name: "Passport",
  description: "The page with your photo.",
  required: true,
  allowedFileTypes: ["pdf", "jpg", "jpeg", "png"],
} satisfies DocumentInput;

export const CONTRACT = { name: "Signed contract", required: true } satisfies DocumentInput;
export const LETTER = { name: "Cover letter", allowedFileTypes: ["docx"] } satisfies DocumentInput;

/** An envelope as its requestor's session sees it. */
type SentEnvelope = EnvelopeView & { submissionToken: string };

/** A signed-in user who requests documents. */
export type Requestor = {
  page: Page;
  email: string;
  /** Sends an envelope and returns it as the server created it. */
  requestDocuments: (documents: DocumentInput[], more?: Record<string, unknown>) => Promise<SentEnvelope>;
  /** The envelope's current state. */
  readEnvelope: (id: number) => Promise<SentEnvelope>;
  /** Sets the image as the account's picture. */
  choosePicture: (image: Buffer) => Promise<void>;
  /** Sets fields of the first workspace's brand, and the image as its logo. */
  setBrand: (fields: Record<string, string>, logo: Buffer) => Promise<void>;
};

export async function openRequestor(
  site: TestSite,
  address: string,
  options?: VisitOptions,
): Promise<Requestor> {
  const { page, email } = await site.openAccount(address, options);
  await page.request.patch(`${site.url}/api/user/profile`, {
    data: { firstName: "Ada", lastName: "Lovelace", companyName: "Analytical Engines Ltd" },
  });
  return {
    page,
    email,
    async requestDocuments(documents, more = {}) {
      const response = await page.request.post(`${site.url}/api/requests`, {
        data: {
          recipientName: "Charles Babbage",
          recipientEmail: "charles@example.com",
          subject: "Papers for the engine",
          message: "Hello Charles,\nplease send me the papers for the engine. Thank you.",
          documents,
          ...more,
        },
      });
      if (!response.ok()) throw new Error(`The envelope was not sent: ${await response.text()}`);
      return response.json();
    },
    async readEnvelope(id) {
      return (await page.request.get(`${site.url}/api/requests/${id}`)).json();
    },
    async choosePicture(buffer) {
      const avatar = { name: "picture", mimeType: "application/octet-stream", buffer };
      const response = await page.request.post(`${site.url}/api/user/avatar`, { multipart: { avatar } });
      if (!response.ok()) throw new Error(`The picture was not taken: ${await response.text()}`);
    },
    async setBrand(data, buffer) {
      const [workspace] = await (await page.request.get(`${site.url}/api/workspaces`)).json();
      const address = `${site.url}/api/workspaces/${workspace.id}`;
      const logo = { name: "logo", mimeType: "application/octet-stream", buffer };
      for (const response of [
        await page.request.patch(address, { data }),
        await page.request.post(`${address}/logo`, { multipart: { logo } }),
      ])
        if (!response.ok()) throw new Error(`The brand was not set: ${await response.text()}`);
    },
  };
}

/** The recipient, in a browser of their own. */
export function openLink(
  site: TestSite,
  { submissionToken }: { submissionToken: string },
  options?: VisitOptions,
): Promise<Visitor> {
  return site.visit(`/submit/${submissionToken}`, options);
}

export async function enterInformation(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Charles Babbage");
  await page.getByLabel("Email", { exact: true }).fill("charles@example.com");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Upload Documents" }).waitFor();
}

export async function choose(page: Page, name: string, file: File): Promise<void> {
  await page.getByLabel(name, { exact: true }).setInputFiles({
    name: file.name,
    mimeType: file.type,
    buffer: Buffer.from(await file.arrayBuffer()),
  });
}

export const cardOf = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** The text of each uploaded file on a document's card. */
export const uploaded = (page: Page, name: string): Locator =>
  cardOf(page, name).getByText("Uploaded", { exact: true });

/** Limits the page's upload speed in bytes per second; without `bytes` it lifts the limit. */
export async function limitUploads(page: Page): Promise<(bytes?: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  return async (bytes = -1) => {
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes };
    await session.send("Network.emulateNetworkConditions", conditions);
  };
}

export async function submitAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit Documents" }).click();
  await page.getByRole("heading", { level: 1, name: "Submission Complete" }).waitFor();
}

/** The received files: names and digests, sorted. */
export async function received(site: TestSite, { page, readEnvelope }: Requestor, { id }: { id: number }) {
  const { submissions } = await readEnvelope(id);
  const files = await Promise.all(
    submissions.map(async ({ fileName, url }) => {
      const stored = await page.request.get(`${site.url}${url}`);
      return [fileName, await sha256(await stored.body())];
    }),
  );
  return files.toSorted();
}

export const digestsOf = async (...files: File[]): Promise<string[][]> =>
  (await Promise.all(files.map(async (file) => [file.name, await sha256(file)]))).toSorted();
