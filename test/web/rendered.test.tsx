import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import i18next from "i18next";
import { Plug } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { FormProvider, useForm } from "react-hook-form";
import commonInGerman from "../../locales/de/common.json";
import envelopesInGerman from "../../locales/de/envelopes.json";
import integrations from "../../locales/en/integrations.json";
import commonInFrench from "../../locales/fr/common.json";
import { CardItem, insertedClass } from "../../web/components/ui/card-grid";
import { FileName } from "../../web/components/ui/file-name";
import { Separated } from "../../web/components/ui/separated";
import { SubmittedFiles } from "../../web/features/envelopes/detail/submitted-documents";
import { useEnvelopeDescription, useEnvelopeTitle } from "../../web/features/envelopes/envelope";
import { useProgress } from "../../web/features/envelopes/envelope-row";
import type { Envelope, Submission } from "../../web/features/envelopes/envelopes.queries";
import { StatusBadge } from "../../web/features/envelopes/status-badge";
import { IntegrationCard, toggleFailure } from "../../web/features/integrations/integrations-page";
import type { OnboardingValues } from "../../web/features/onboarding/onboarding.schema";
import { StepAbout } from "../../web/features/onboarding/onboarding-steps";
import { useShownName } from "../../web/lib/shown-name";
import { useFormat } from "../../web/lib/use-format";
import { ENVELOPE_STATUSES } from "../../worker/contract/options";
import { DEFAULT_DESCRIPTION } from "../../worker/contract/product";
import { initEnglishTexts } from "../support/english-texts";

await initEnglishTexts({
  en: { integrations },
  de: { common: commonInGerman, envelopes: envelopesInGerman },
  fr: { common: commonInFrench },
});

async function inLanguages<T>(languages: string[], render: () => T): Promise<T[]> {
  const results: T[] = [];
  for (const language of languages) {
    await i18next.changeLanguage(language);
    results.push(render());
  }
  await i18next.changeLanguage("en");
  return results;
}

function Size({ bytes }: { bytes: number }) {
  return useFormat().megabytes(bytes);
}

function About() {
  const form = useForm<OnboardingValues>();
  return (
    <FormProvider {...form}>
      <StepAbout />
    </FormProvider>
  );
}

test("the family name comes first in Japanese and Chinese", async () => {
  const orders = await inLanguages(["en", "ja", "zh", "pt"], () =>
    [...renderToStaticMarkup(<About />).matchAll(/name="(first|last)Name"/g)].map(([, name]) => name),
  );
  expect(orders).toEqual([
    ["first", "last"],
    ["last", "first"],
    ["last", "first"],
    ["first", "last"],
  ]);
});

function When({ iso }: { iso: string }) {
  return useFormat().when(iso);
}

test("a time in a sentence is relative, or a date with its preposition", async () => {
  const times = [new Date().toISOString(), "2020-11-09T12:00:00Z"];
  const read = await inLanguages(["de", "fr"], () =>
    times.map((iso) => renderToStaticMarkup(<When iso={iso} />)),
  );
  expect(read).toEqual([
    ["gerade eben", "am 9. Nov. 2020"],
    ["à l’instant", "le 9 nov. 2020"],
  ]);
});

test("a file name breaks after its separators, and neither in nor right before its extension", () => {
  const kept = (name: string, truncated = false) =>
    [...renderToStaticMarkup(<FileName name={name} truncated={truncated} />).matchAll(/>([^<]*)</g)].map(
      ([, text]) => text,
    );
  expect(kept("annual-statement.pdf").filter(Boolean)).toEqual(["annual-", "sta", "tement.pdf"]);
  // The whole name is what is read out.
  expect(kept("annual-statement.pdf", true).filter(Boolean)).toEqual([
    "annual-statement.pdf",
    "annual-sta",
    "tement.pdf",
  ]);
  expect(kept("a.pdf").filter(Boolean)).toEqual(["a.pdf"]);
  expect(kept("no extension at all").filter(Boolean)).toEqual(["no extension at all"]);
});

test("the buttons of a submitted file are named by its document and the file", () => {
  const submission = {
    ...{ documentName: "Passport", fileName: "front.pdf", fileSize: 1, mimeType: "application/pdf" },
    ...{ id: 1, url: "/uploads/front", withheld: null, deliveries: [] },
  } as unknown as Submission;
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <SubmittedFiles envelope={{} as Envelope} files={[submission]} onView={() => {}} />
    </QueryClientProvider>,
  );
  expect([...markup.matchAll(/<button[^>]* aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    "View Passport (front.pdf)",
    "Download Passport (front.pdf)",
  ]);
});

test("every status of an envelope has its own text and colour", () => {
  const badges = ENVELOPE_STATUSES.map((status) => renderToStaticMarkup(<StatusBadge status={status} />));
  const colours = badges.map((badge) => /class="[^"]*?(border-\S+ [^"]*)"/.exec(badge)?.[1]);
  expect(new Set(colours).size).toBe(ENVELOPE_STATUSES.length);
  for (const [index, status] of ENVELOPE_STATUSES.entries()) expect(badges[index]).toContain(status);
});

test("a connected integration can be disconnected", () => {
  const card = (status: "connected" | "disconnected") =>
    renderToStaticMarkup(<IntegrationCard kind="crm" icon={Plug} status={status} />);
  expect(card("connected")).toContain("><span>Disconnect</span></button>");
  expect(card("disconnected")).toContain("><span>Connect</span></button>");
  expect(i18next.t(toggleFailure("connected").title, { ns: "integrations" })).toBe("Disconnection failed");
  expect(i18next.t(toggleFailure("disconnected").title, { ns: "integrations" })).toBe("Connection failed");
});

test("a file too small for two decimals of a megabyte is not shown as empty", () => {
  const sizes = [0, 10, 5242, 5243, 1024 * 1024].map((bytes) => renderToStaticMarkup(<Size bytes={bytes} />));
  expect(sizes).toEqual(["0.00 MB", "0.01 MB", "0.01 MB", "0.01 MB", "1.00 MB"]);
});

function WorkspaceName({ name }: { name: string }) {
  return useShownName()(name);
}

test("the name of the first workspace is shown in the language until it is renamed", async () => {
  const named = (name: string) =>
    inLanguages(["en", "de"], () => renderToStaticMarkup(<WorkspaceName name={name} />));
  expect(await named("My Workspace")).toEqual(["My Workspace", "Mein Arbeitsbereich"]);
  expect(await named("My workspace")).toEqual(["My workspace", "My workspace"]);
});

function Title({ title }: { title: string }) {
  return useEnvelopeTitle()({ title });
}

test("an envelope's title, stored in English, is shown in the requestor's language", async () => {
  await i18next.changeLanguage("de");
  const titles = ["Document Request for Ada", "Papers"].map((title) =>
    renderToStaticMarkup(<Title title={title} />),
  );
  await i18next.changeLanguage("en");
  expect(titles).toEqual(["Dokumentenanfrage für Ada", "Papers"]);
});

function Description({ description }: { description: string }) {
  return useEnvelopeDescription()({ description });
}

test("the description of an envelope without a message is shown in the requestor's language", async () => {
  await i18next.changeLanguage("de");
  const descriptions = [DEFAULT_DESCRIPTION, `${DEFAULT_DESCRIPTION} Thanks`].map((description) =>
    renderToStaticMarkup(<Description description={description} />),
  );
  await i18next.changeLanguage("en");
  expect(descriptions).toEqual([
    "Bitte laden Sie die angeforderten Dokumente hoch.",
    `${DEFAULT_DESCRIPTION} Thanks`,
  ]);
});

test("an entry that was just created moves into its list, an older one does not", () => {
  const now = Date.parse("2026-03-14T09:26:53.000Z");
  expect(insertedClass("2026-03-14T09:26:52.000Z", now)).toBe("rise");
  // The server's clock may be ahead.
  expect(insertedClass("2026-03-14T09:26:54.000Z", now)).toBe("rise");
  expect(insertedClass("2026-03-14T09:26:40.000Z", now)).toBe(false);
  const cardOf = (createdAt: string) =>
    renderToStaticMarkup(<CardItem title="Rita" createdAt={createdAt} onOpen={false} actions={null} />);
  expect(cardOf(new Date().toISOString())).toMatch(/<li class="[^"]* rise"/);
  expect(cardOf("2026-03-14T09:26:53.000Z")).not.toContain("rise");
});

test("an empty text in a line of texts has no dot of its own", () => {
  const markup = renderToStaticMarkup(
    <Separated>
      Folder of the server
      {""}
      {false}
      {"{year}"}
    </Separated>,
  );
  expect(markup.split(" · ")).toHaveLength(2);
});

function Amount({ kinds, status }: { kinds: string[]; status: Envelope["status"] }) {
  const documents = kinds.map((kind) => ({ name: kind, kind, state: "open" }));
  const empty = {
    title: "",
    submissions: [],
    review: {},
    expirationDate: null,
    createdAt: new Date().toISOString(),
  };
  return useProgress({ ...empty, status, documents } as unknown as Envelope).amount;
}

test("an envelope's row calls questions questions, not documents", () => {
  const amount = (kinds: string[], status: Envelope["status"]) =>
    renderToStaticMarkup(<Amount kinds={kinds} status={status} />);
  expect(amount(["file", "file"], "pending")).toBe("0 of 2 documents");
  expect(amount(["file", "date", "text"], "pending")).toBe("0 of 3");
  expect(amount(["file", "date", "text"], "draft")).toBe("1 document · 2 questions");
  expect(amount(["yesNo"], "draft")).toBe("1 question");
});
