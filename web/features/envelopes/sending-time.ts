import { useTranslation } from "react-i18next";
import { regionalLocale } from "../../lib/format";
import { formatSending } from "../../lib/format-sending";
import type { Envelope } from "./envelope";

/** "Will be sent on 1 December at 09:00"; undefined unless the envelope is scheduled. */
export function useSendingText() {
  // What waits for texts in an open dialog would take its focus.
  const { t, i18n } = useTranslation("schedules", { useSuspense: false });
  return ({ status, sendOn, sendHour }: Pick<Envelope, "status" | "sendOn" | "sendHour">) =>
    status === "scheduled" && sendOn
      ? t("send.willBe", formatSending(sendOn, sendHour ?? 0, regionalLocale(i18n.language)))
      : undefined;
}
