import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeStatus } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { submissionLink } from "../envelope-display";
import { useCopyLink } from "../use-copy-link";

export function LinkCard({ token, status }: { token: string; status: EnvelopeStatus }) {
  const { t } = useTranslation("envelopes");
  const [copied, setCopied] = useState(false);
  const note =
    status === "draft" ? "detail.draftLink" : status === "expired" ? "detail.expiredLink" : "detail.linkText";
  const link = submissionLink(token);
  const copyLink = useCopyLink();
  const copy = async () => setCopied(await copyLink(token));
  return (
    <Card title={t("detail.link")}>
      <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
        <code
          className="min-w-0 flex-1 select-all truncate rounded-control bg-sunken px-3 py-2 text-xs"
          title={link}
        >
          {link}
        </code>
        <Button onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {t("detail.copy")}
        </Button>
      </div>
      <p className="mt-2 text-ink-soft text-xs">{t(note)}</p>
    </Card>
  );
}
