import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { toast } from "../../../components/ui/toast-store";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useEnvelopeTitle } from "../envelope-display";
import type { Envelope } from "../envelopes.queries";
import { type BulkAction, downloadArchive, type Failure, planAction, runEach } from "./bulk-actions";

type BulkDialogProps = {
  action: BulkAction;
  /** The selected envelopes. */
  envelopes: readonly Envelope[];
  onClose: () => void;
  /** Called when the action was done with all of them. */
  onDone: () => void;
};

type State =
  | { kind: "confirming" }
  | { kind: "running"; done: number }
  | { kind: "finished"; done: number; failures: readonly Failure[]; stopped: number };

/** How many envelopes are named before the rest is only counted. */
const NAMED = 5;
const NAMED_FAILURES = 20;

/** Explains what an action will do with the selected envelopes, does it, and reports what failed. */
export default function BulkDialog({ action, envelopes, onClose, onDone }: BulkDialogProps) {
  const { t, i18n } = useTranslation(["envelopes", "common", "errors", "validation"]);
  const titleOf = useEnvelopeTitle();
  const client = useQueryClient();
  // The plan stays the same, although the list changes as envelopes are deleted.
  const [{ affected, files, leftOut, tooMany }] = useState(() => planAction(action, envelopes));
  const [state, setState] = useState<State>({ kind: "confirming" });
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const running = state.kind === "running";
  // Stops running calls, and shows their result before the dialog closes.
  const close = running ? () => stop.current?.abort() : onClose;
  useCloseOnBack(true, close);
  const count = affected.length;

  const run = async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setState({ kind: "running", done: 0 });
    const result =
      action === "download"
        ? await downloadArchive(affected).then(
            () => ({ done: count, failures: [] }),
            (error: unknown) => ({
              done: 0,
              failures: affected.slice(0, 1).map((envelope) => ({ envelope, error })),
            }),
          )
        : await runEach(action, affected, {
            signal,
            onProgress: (done) => setState({ kind: "running", done }),
          });
    if (action !== "download") void client.invalidateQueries({ queryKey: ["requests"] });
    const stopped = action === "download" ? 0 : count - result.done - result.failures.length;
    if (stopped > 0 || result.failures.length > 0) return setState({ kind: "finished", stopped, ...result });
    toast({ title: t(`bulk.${action}.done`, { count }) });
    onDone();
  };

  const reasonOf = (error: unknown) =>
    error instanceof ApiError && error.code === "rate_limited" && action === "remind"
      ? t("remind.tooSoon")
      : errorText(error, i18n.t);

  return (
    <Dialog
      open
      {...(action === "delete" && { role: "alertdialog" as const })}
      onClose={close}
      width="sm"
      hideCloseButton
      title={t(`bulk.${action}.title`, { count })}
      footer={
        state.kind === "finished" ? (
          <Button variant="primary" onClick={onClose}>
            {t("common:close")}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{running ? t("bulk.stop") : t("common:cancel")}</Button>
            <Button
              variant={action === "delete" ? "danger" : "primary"}
              disabled={count === 0 || tooMany}
              loading={running}
              onClick={() => void run()}
            >
              {t(`bulk.${action}.confirm`, { count })}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {state.kind === "confirming" && (
          <>
            {count > 0 && (
              <p>{t(`bulk.${action}.text`, { count, files: t("bulk.files", { count: files }) })}</p>
            )}
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
        )}
        {state.kind === "running" && (
          <ProgressBar label={t(`bulk.${action}.title`, { count })} value={state.done} max={count} />
        )}
        {state.kind === "finished" && (
          <div role="status" className="flex flex-col gap-3">
            {state.done > 0 && <p>{t(`bulk.${action}.done`, { count: state.done })}</p>}
            {state.stopped > 0 && <p>{t("bulk.stopped", { count: state.stopped })}</p>}
            {state.failures.length > 0 && (
              <ul className="flex flex-col gap-2">
                {state.failures.slice(0, NAMED_FAILURES).map(({ envelope, error }) => (
                  <li key={envelope.id} className="break-words">
                    {action !== "download" && (
                      <span className="block font-medium">{envelope.subject || titleOf(envelope)}</span>
                    )}
                    <span className="text-bad">{reasonOf(error)}</span>
                  </li>
                ))}
                {state.failures.length > NAMED_FAILURES && (
                  <li>{t("bulk.more", { count: state.failures.length - NAMED_FAILURES })}</li>
                )}
              </ul>
            )}
          </div>
        )}
      </div>
    </Dialog>
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
