import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { ChangedMeanwhile } from "../../../worker/contract/error-body";
import { ApiError } from "../../lib/api";
import { type Difference, differences, type ShownField } from "../../lib/differences";
import { useFormat } from "../../lib/use-format";
import { Button } from "./button";
import { ConfirmDialog } from "./confirm-dialog";

type Options<Values extends FieldValues> = {
  form: Pick<UseFormReturn<Values>, "getValues" | "reset" | "setValue">;
  /** Loads what is stored now. */
  readStored: () => Promise<Values>;
  /** The fields of the form and their values, as it shows them. */
  describe: (values: Values) => ShownField[];
  /** Called once what is stored is shown in the form. */
  onShown?: () => void;
};

type Asked = {
  changed: ChangedMeanwhile;
  /** Undefined if what is stored could not be loaded. */
  differing: Difference[] | undefined;
  saveAgain: () => void;
};

/**
 * Asks what to do when a form is saved that somebody else has changed since it was read; see `ApiError.changed`. The
 * form's `updatedAt` is the version that it replaces.
 */
export function useChangedMeanwhile<Values extends FieldValues & { updatedAt: string | null }>({
  form,
  readStored,
  describe,
  onShown,
}: Options<Values>) {
  const [asked, setAsked] = useState<Asked>();
  const [reading, setReading] = useState(false);
  const loading = useMutation({
    mutationFn: async () => form.reset(await readStored()),
    onSuccess() {
      setAsked(undefined);
      onShown?.();
    },
    meta: { failure: { title: "common:changed.loadFailed" } },
  });
  return {
    asked,
    loading: loading.isPending,
    /** Reads what is stored, before it asks. */
    reading,
    /** Asks if the failure is such a change; `saveAgain` saves what is in the form then. */
    async ask(error: unknown, saveAgain: () => void) {
      if (!(error instanceof ApiError && error.changed)) return;
      const { changed } = error;
      setReading(true);
      const stored = await readStored().catch(() => undefined);
      setReading(false);
      const differing = stored && differences(describe(stored), describe(form.getValues()));
      setAsked({ changed, differing, saveAgain });
    },
    showTheirs: () => loading.mutate(),
    saveMine() {
      setAsked(undefined);
      if (!asked) return;
      const updatedAt = asked.changed.updatedAt as PathValue<Values, Path<Values>>;
      form.setValue("updatedAt" as Path<Values>, updatedAt);
      asked.saveAgain();
    },
    keepEditing: () => setAsked(undefined),
  };
}

/** The question of `useChangedMeanwhile`. Put it inside the dialog or page with the form. */
export function ChangedMeanwhileDialog({
  conflict,
}: {
  conflict: Omit<ReturnType<typeof useChangedMeanwhile>, "ask">;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { asked } = conflict;
  if (!asked) return null;
  const { changed, differing = [] } = asked;
  const name = [changed.changedBy.firstName, changed.changedBy.lastName].filter(Boolean).join(" ");
  const when = format.when(changed.updatedAt);
  return (
    <ConfirmDialog
      open
      title={t("changed.title")}
      text={name ? t("changed.text", { name, when }) : t("changed.textWithoutName", { when })}
      cancelLabel={t("discard.stay")}
      alternative={
        <Button loading={conflict.loading} onClick={conflict.showTheirs}>
          {t("changed.showTheirs")}
        </Button>
      }
      confirmLabel={t("changed.saveMine")}
      onConfirm={conflict.saveMine}
      onCancel={conflict.keepEditing}
    >
      {differing.length > 0 && <Differences differing={differing} />}
    </ConfirmDialog>
  );
}

/** Scrolls by itself, so that the buttons below stay visible. */
function Differences({ differing }: { differing: readonly Difference[] }) {
  const { t } = useTranslation();
  const caption = useId();
  const region = { role: "region", "aria-labelledby": caption, tabIndex: 0 };
  return (
    <>
      <p id={caption}>{t("changed.differing")}</p>
      <div {...region} className="mt-2 max-h-[40dvh] overflow-y-auto rounded-card bg-sunken px-4 py-1">
        <dl>
          {differing.map(({ label, ...values }) => (
            <div
              key={label}
              className="grid gap-x-4 gap-y-1 border-line border-t py-2 first:border-t-0 sm:grid-cols-2"
            >
              <dt className="break-words font-medium sm:col-span-2">{label}</dt>
              {(["theirs", "mine"] as const).map((side) => (
                <dd key={side} className="min-w-0 whitespace-pre-line break-words">
                  <span className="block text-ink-soft text-xs">{t(`changed.${side}`)}</span>
                  {values[side] || <span className="text-ink-soft">{t("changed.empty")}</span>}
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
