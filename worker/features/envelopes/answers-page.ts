import type { Language } from "../../contract/options";
import { escapeHtml } from "../../lib/escape-html";
import type { MailText } from "../notifications/mail-texts";
import { answerText, submittedAnswers } from "./answers.service";

type Answered = Parameters<typeof submittedAnswers>[0];

/** The answers of an envelope as a page that prints well and loads nothing. */
export function answersPage(envelope: Answered, t: MailText, language: Language): string {
  const { subject, title, recipientName, customerEmail, completedAt } = envelope;
  const facts = [
    [t("answers.recipient"), recipientName ?? title],
    [t("answers.email"), customerEmail],
    [t("answers.submittedAt"), completedAt ?? ""],
  ];
  const answers = submittedAnswers(envelope).map(({ document, value }) => [
    document.name,
    answerText(value, document, t),
  ]);
  const list = (entries: string[][]) => {
    const rows = entries.map(
      ([name = "", value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value || "–")}</dd>`,
    );
    return `<dl>${rows.join("")}</dl>`;
  };
  const heading = escapeHtml(subject ?? title);
  return `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><title>${heading}</title>
<style>body{font:14px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#1d2330}
dt{color:#5b6270;margin-top:.75rem}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid}</style>
<h1>${heading}</h1>
${list(facts)}
<h2>${escapeHtml(t("answers.title"))}</h2>
${list(answers)}
</html>
`;
}
