import type { Page } from "playwright-core";
import type { EnvelopeView } from "../../worker/features/envelopes/envelope-view";
import type { TestSite, VisitOptions, Visitor } from "./browser";

type Asked = {
  name: string;
  description?: string;
  required?: boolean;
  multiple?: boolean;
  allowedFileTypes?: string[];
};

export const PASSPORT = {
  name: "Passport",
  description: "The page with your photo.",
  required: true,
  allowedFileTypes: ["pdf", "jpg", "jpeg", "png"],
} satisfies Asked;

export const CONTRACT = { name: "Signed contract", required: true } satisfies Asked;
export const LETTER = { name: "Cover letter", allowedFileTypes: ["docx"] } satisfies Asked;

/** Somebody who asks for documents, signed in. */
export type Requestor = {
  page: Page;
  email: string;
  /** Sends an envelope and returns it as the server made it. */
  ask: (documents: Asked[], more?: Record<string, unknown>) => Promise<EnvelopeView>;
  /** The envelope as it is now. */
  look: (id: number) => Promise<EnvelopeView>;
};

export async function openRequestor(
  site: TestSite,
  address: string,
  options?: VisitOptions,
): Promise<Requestor> {
  const { page, email } = await site.signUp(address, options);
  await page.request.patch(`${site.url}/api/user/profile`, {
    data: { firstName: "Ada", lastName: "Lovelace", companyName: "Analytical Engines Ltd" },
  });
  return {
    page,
    email,
    async ask(documents, more = {}) {
      const answer = await page.request.post(`${site.url}/api/requests`, {
        data: {
          recipientName: "Charles Babbage",
          recipientEmail: "charles@example.com",
          subject: "Papers for the engine",
          message: "Hello Charles,\nplease send me the papers for the engine. Thank you.",
          documents,
          ...more,
        },
      });
      if (!answer.ok()) throw new Error(`The envelope was not sent: ${await answer.text()}`);
      return answer.json();
    },
    async look(id) {
      return (await page.request.get(`${site.url}/api/requests/${id}`)).json();
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
