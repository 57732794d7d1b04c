import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { useEnvelopeTitle } from "../envelope-display";
import type { Envelope } from "../envelopes.queries";
import type { BulkAction, planAction } from "./bulk-actions";

/** How many envelopes are named before the rest is only counted. */
const NAMED = 5;

type BulkPlanProps = { action: BulkAction; plan: ReturnType<typeof planAction> };

/** Says what the action will do, and with which envelopes. */
export function BulkPlan({ action, plan: { affected, files, leftOut, tooMany } }: BulkPlanProps) {
  const { t } = useTranslation("envelopes");
  const count = affected.length;
  return (
    <>
      {count > 0 && <p>{t(`bulk.${action}.text`, { count, files: t("bulk.files", { count: files }) })}</p>}
      <Names envelopes={affected} />
      {action === "delete" && files > 0 && (
        <p className="font-medium">{t("delete.files", { count: files })}</p>
      )}
      {action !== "delete" && leftOut > 0 && (
        <p className="text-warn">{t(`bulk.${action}.leftOut`, { count: leftOut })}</p>
      )}
      {tooMany && (
        <p role="alert" className="text-bad">
          {t("bulk.download.tooMany", { max: LIMITS.envelopesPerArchive })}
        </p>
      )}
    </>
  );
}

function Names({ envelopes }: { envelopes: readonly Envelope[] }) {
  const { t } = useTranslation("envelopes");
  const titleOf = useEnvelopeTitle();
  const rest = envelopes.length - NAMED;
  return (
    <ul className="list-disc pl-5 text-ink-soft">
      {envelopes.slice(0, NAMED).map((envelope) => (
        <li key={envelope.id} className="break-words">
          {envelope.subject || titleOf(envelope)}
        </li>
      ))}
      {rest > 0 && <li>{t("bulk.more", { count: rest })}</li>}
    </ul>
  );
}
