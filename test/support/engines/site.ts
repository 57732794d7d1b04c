import { join } from "node:path";
import { write } from "bun";
import { seedDemo } from "../../../worker/cli/seed/demo";
import { DEMO_USER } from "../../../worker/cli/seed/demo-data";
import type { Language, Theme } from "../../../worker/contract/options";
import { startBunSite } from "../browser/browser";
import { pdfFile } from "../files/files";
import { makeFolder } from "../temporary-folder";
import { type EnginePage, openPage } from "./page";
import type { Engine } from "./tab";

type Envelope = { id: number; status: string; submissionToken: string; subject: string | null };
export type Appearance = { language: Language; theme: Theme };

/** The built app with the demo account, and the files that visitors upload. */
export async function startDemoSite() {
  const server = await startBunSite({
    seed: seedDemo,
    variables: { ADMIN_EMAILS: DEMO_USER.email, WEBHOOK_ALLOW_PRIVATE: "on" },
  });
  const folder = makeFolder();
  const pdf = join(folder, "contract.pdf");
  await write(pdf, pdfFile());

  /** Opens a page in its own tab, in this language and theme. */
  async function visit(engine: Engine, { language, theme }: Appearance): Promise<EnginePage> {
    const page = await openPage(await engine.open(), server.url);
    await page.resize(1280, 800);
    await page.goto("/robots.txt");
    const storage = JSON.stringify({ i18nextLng: language, theme });
    await page.tab.evaluate(`(async () => { Object.assign(localStorage, ${storage}); return "" })()`);
    return page;
  }
  return {
    url: server.url,
    pdf,
    picture: join(import.meta.dir, "../../../web/public/icon-512.png"),
    visit,
    async visitAsOwner(engine: Engine, appearance: Appearance): Promise<EnginePage> {
      const page = await visit(engine, appearance);
      await page.api("POST", "/api/login", { email: DEMO_USER.email, password: DEMO_USER.password });
      await keepAppearance(page, appearance);
      return page;
    },
    async visitAsNewcomer(engine: Engine, appearance: Appearance): Promise<EnginePage> {
      const page = await visit(engine, appearance);
      const email = `${crypto.randomUUID()}@example.com`;
      await page.api("POST", "/api/register", { email, password: "correct horse" });
      await server.prove?.(email);
      await keepAppearance(page, appearance);
      return page;
    },
    envelopes: findEnvelopes,
    async stop(): Promise<void> {
      await server.stop();
    },
  };
}

/** One of the demo account's envelopes for each state, and a new one that a recipient can answer. */
async function findEnvelopes(owner: EnginePage) {
  const all = await owner.api<Envelope[]>("GET", "/api/requests");
  const find = (status: string) => {
    const envelope = all.find((candidate) => candidate.status === status);
    if (!envelope) throw new Error(`The demo has no ${status} envelope`);
    return envelope;
  };
  const sent = await owner.api<Envelope>("POST", "/api/requests", {
    recipientName: "Maximiliane Freifrau von Donnersmarck-Schwarzenberg",
    recipientEmail: "maximiliane.freifrau.von.donnersmarck@schwarzenberg.example.com",
    subject: "Unterlagen für die Aufenthaltsgenehmigungsverlängerung",
    message: "Guten Tag,\nbitte senden Sie uns die Unterlagen. Vielen Dank.",
    documents: [
      { name: "Meldebescheinigung", required: true, allowedFileTypes: ["pdf", "jpg", "jpeg", "png"] },
      { name: "Krankenversicherungsnachweis", description: "Der neueste.", allowedFileTypes: ["docx"] },
    ],
  });
  return {
    pending: sent.id,
    completed: find("completed").id,
    draft: find("draft").id,
    token: sent.submissionToken,
    expired: find("expired").submissionToken,
  };
}

async function keepAppearance(page: EnginePage, { language, theme }: Appearance): Promise<void> {
  await page.api("PATCH", "/api/user/profile", { languagePreference: language, themePreference: theme });
}
