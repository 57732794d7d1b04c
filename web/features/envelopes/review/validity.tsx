import { CalendarClock } from "lucide-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { DateInput, Input } from "../../../components/ui/input";
import { Separated } from "../../../components/ui/separated";
import { cx } from "../../../lib/cx";
import { today } from "../../../lib/time-zone";
import { useFormat } from "../../../lib/use-format";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { useChangeValidity } from "../detail/detail.queries";
import type { Envelope } from "../envelopes.queries";
import type { EnvelopeDocument } from "./document-answers";

/** Whether it is to be said yet until when the document is valid. */
export const lacksDay = ({ asksValidUntil, validUntil }: EnvelopeDocument): boolean =>
  asksValidUntil && validUntil === null;

type ValidityProps = {
  envelope: Pick<Envelope, "id" | "completedAt">;
  document: EnvelopeDocument;
  mayChange: boolean;
  /** Called when a day was entered after the document was accepted without one. */
  onEntered?: () => void;
};

/** Until when a submitted file is valid, and when it is asked for again. */
export function Validity({ envelope, document, mayChange, onEntered }: ValidityProps) {
  const { t } = useTranslation("questions");
  const [editing, setEditing] = useState(false);
  const state = useRef(document.state);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state.current !== "accepted" && document.state === "accepted" && lacksDay(document) && mayChange)
      setEditing(true);
    state.current = document.state;
  }, [document, mayChange]);
  const { asksValidUntil, validUntil, kind, name } = document;
  if (kind !== "file" || !envelope.completedAt || !(asksValidUntil || validUntil)) return null;
  if (editing)
    return (
      <ValidityForm
        envelopeId={envelope.id}
        document={document}
        onClose={(changed) => {
          flushSync(() => setEditing(false));
          button.current?.focus();
          if (changed) onEntered?.();
        }}
      />
    );
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
      <CalendarClock aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <ValidityText {...document} />
      {mayChange && (
        <Button
          ref={button}
          size="sm"
          variant="ghost"
          className="px-1.5! text-ink-soft! underline underline-offset-2"
          aria-label={t("validity.changeNamed", { name })}
          onClick={() => setEditing(true)}
        >
          {t("validity.change")}
        </Button>
      )}
    </p>
  );
}

type ValidityTextProps = Pick<EnvelopeDocument, "validUntil" | "renewDays" | "renewal" | "renewalPaused">;

/** "Valid until", in red once it is over, and when it is or was asked for again. */
export function ValidityText({ validUntil, renewDays, renewal, renewalPaused }: ValidityTextProps) {
  const { t } = useTranslation("questions");
  const format = useFormat();
  const timeZone = useAccountTimeZone();
  if (!validUntil) return <span className="text-warn">{t("validity.missing")}</span>;
  const isPast = validUntil < today(timeZone);
  return (
    <span className="min-w-0 text-ink-soft">
      <Separated>
        <span className={cx(isPast && "font-medium text-bad")}>
          {t(isPast ? "validity.expired" : "validity.until", { date: format.day(validUntil) })}
        </span>
        {renewal
          ? t("validity.asked", { date: format.date(renewal.at) })
          : renewDays !== null &&
            t(renewalPaused ? "validity.paused" : "validity.renewal", { count: renewDays })}
      </Separated>
    </span>
  );
}

type ValidityFormProps = {
  envelopeId: number;
  document: Pick<EnvelopeDocument, "name" | "validUntil" | "renewDays"> & { id: number };
  onClose: (changed: boolean) => void;
};

/** The day, which takes the focus, and how many days before it the document is asked for again. */
export function ValidityForm({ envelopeId, document, onClose }: ValidityFormProps) {
  const { t } = useTranslation(["questions", "common", "validation"]);
  const [day, setDay] = useState(document.validUntil ?? "");
  const [days, setDays] = useState(document.renewDays === null ? "" : String(document.renewDays));
  const [tried, setTried] = useState(false);
  const id = useId();
  const change = useChangeValidity(envelopeId);
  const renewDays = days.trim() === "" ? null : Number(days);
  const isValid =
    renewDays === null || (Number.isInteger(renewDays) && renewDays >= 1 && renewDays <= LIMITS.renewDays);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isValid || change.isPending) return;
    change.mutate(
      { documentId: document.id, validUntil: day || null, renewDays },
      { onSuccess: () => onClose(true) },
    );
  };
  return (
    <form
      aria-labelledby={id}
      noValidate
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // The dialog around it stays open.
        event.preventDefault();
        event.stopPropagation();
        onClose(false);
      }}
      className="flex flex-wrap items-end gap-3 rounded-control bg-sunken p-3"
    >
      <span id={id} className="sr-only">
        {t("validity.changeNamed", { name: document.name })}
      </span>
      <Field label={t("validity.day")}>
        <DateInput autoFocus empty={day === ""} value={day} onChange={({ target }) => setDay(target.value)} />
      </Field>
      <Field label={t("renewDays")} error={tried && !isValid ? t("validation:invalidRenewDays") : undefined}>
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={LIMITS.renewDays}
          className="w-28"
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" loading={change.isPending}>
          {t("common:save")}
        </Button>
        <Button size="sm" onClick={() => onClose(false)}>
          {t("common:cancel")}
        </Button>
      </div>
    </form>
  );
}
