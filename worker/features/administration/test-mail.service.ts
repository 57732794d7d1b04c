import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { withDeadline } from "../../lib/retry";
import { DeliveryError } from "../../ports/mailer";
import { introduction, renderText } from "../notifications/mail-content";
import { mailTextOf } from "../notifications/mail-texts";

const TIMEOUT_MS = 30_000;
const ERROR_LENGTH = 500;

/** Sends a mail to the administrator at once, not through the outbox, and reports what the mail server said. */
export async function sendTestMail(
  {
    config,
    clock,
    log,
    mailer,
    loadMailTexts,
  }: Pick<Dependencies, "config" | "clock" | "log" | "mailer" | "loadMailTexts">,
  { id, email, languagePreference: language, timeZone }: User,
) {
  const { renderHtml, LOGO } = await import("../notifications/mail-html");
  const t = mailTextOf(await loadMailTexts(language), language);
  const site = new URL(config.publicUrl).host;
  const content = {
    ...introduction(
      "test",
      { t, language, link: "", timeZone, at: clock.now().toISOString() },
      { email, site },
    ),
    reason: t("test.reason"),
  };
  const messageId = `<test-${id}-${clock.now().getTime().toString(36)}@${new URL(config.publicUrl).hostname}>`;
  const mail = {
    ...{ from: config.mailFrom, to: email, subject: content.subject, messageId, images: [LOGO] },
    text: renderText(content, t),
    html: renderHtml(content, language),
  };
  const late = () => new DeliveryError(`No answer in ${TIMEOUT_MS / 1000} seconds`, { permanent: false });
  const error = await withDeadline(mailer.send(mail), TIMEOUT_MS, late).then(
    () => null,
    (failure: unknown) => causes(failure).trim().slice(0, ERROR_LENGTH) || "Unknown failure",
  );
  log.info("test mail", { userId: id, sent: error === null });
  return { to: email, sent: error === null, sendsMail: !mailer.localOnly, error };
}
