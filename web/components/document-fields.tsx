import { ChevronDown, Copy, GripVertical, Trash2 } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { documentKey } from "../../worker/contract/document-names";
import { LIMITS } from "../../worker/contract/limits";
import { PLACEHOLDERS, typedPlaceholders } from "../../worker/contract/placeholders";
import { QUESTION_KINDS } from "../../worker/contract/questions";
import { cx } from "../lib/cx";
import { type DocumentValues, fittingTypes } from "../lib/document-entries";
import { useFieldError } from "../lib/form";
import { AttachmentFields } from "./attachment-fields";
import { ExtensionsOnDemand, FileTypesSelect } from "./file-types-field";
import { ConditionFields, QuestionFields, SwitchField } from "./question-fields";
import { Button } from "./ui/button";
import { Field } from "./ui/field";
import { IconButton } from "./ui/icon-button";
import { GrowingInput } from "./ui/input";
import { Select } from "./ui/select";
import { ValidityFields } from "./validity-fields";

export type Moving = {
  isLast: boolean;
  onMove: (to: number) => void;
  onDragStart: (event: PointerEvent) => void;
};

type DocumentFieldsProps = {
  /** The form's field that holds the list. */
  list: string;
  index: number;
  /** Where its forms are stored. */
  workspaceId: number | undefined;
  /** Whether its name takes the focus when it is shown. */
  autoFocus?: boolean;
  /** Whether its details are shown at first. */
  startOpen?: boolean;
  /** How many entries were added by a button: with the next one, the details of a question are closed. */
  added: number;
  /** Moves it to an index, by keys or dragged; absent for the only entry. */
  moving?: Moving | undefined;
  /** Enter was pressed in its name. */
  onEnter?: () => void;
  /** Several lines were pasted into its name. */
  onPasteLines?: (lines: string[]) => void;
  /** Absent if the list is full. */
  onDuplicate?: (() => void) | undefined;
  /** Absent for the only entry, which cannot be removed. */
  onRemove: (() => void) | undefined;
};

/** An optional document can always be skipped, with or without a reason. */
const DETAILS = ["reasonAllowed", "multiple"] as const;

/** The fields of one requested document, in the form around it: a row with its name, and details on demand. */
export function DocumentFields(props: DocumentFieldsProps) {
  const { list, index, autoFocus = false, startOpen = true, moving, onDuplicate, onRemove } = props;
  const { onEnter, onPasteLines, workspaceId, added } = props;
  const { t } = useTranslation(["common", "questions"]);
  const fieldError = useFieldError();
  const { control, register, setValue, getValues, formState } =
    useFormContext<Record<string, DocumentValues[]>>();
  const at = `${list}.${index}` as const;
  const entry = useWatch({ control, name: at });
  const { field: kind } = useController({ control, name: `${at}.kind` });
  const details = useId();
  const [open, setOpen] = useState(startOpen);
  const [lastAdded, setLastAdded] = useState(added);
  if (lastAdded !== added) {
    setLastAdded(added);
    if (entry.kind !== "file") setOpen(false);
  }
  const row = useRef<HTMLLIElement>(null);
  // Of the first entry, they are there with the form.
  const isFirstView = useRef(index === 0);
  useEffect(() => {
    const isShown = open && !isFirstView.current;
    isFirstView.current = false;
    // After the focus, and what the new entry adds to those before it.
    const frame = isShown && requestAnimationFrame(() => row.current?.scrollIntoView({ block: "nearest" }));
    return () => void (frame && cancelAnimationFrame(frame));
  }, [open]);
  const [editsTypes, setEditsTypes] = useState(false);
  const isFile = entry.kind === "file";
  const number = t(isFile ? "document.number" : "questions:number", { number: index + 1 });
  const name = entry.name || number;
  const unfilled = typedPlaceholders(PLACEHOLDERS.filter((known) => entry.name.includes(`{${known}}`)));
  const errors = formState.errors[list]?.[index];
  // The schema's message names a document.
  const nameError =
    isFile || entry.name.trim() ? errors?.name : errors?.name && { message: "answerRequired" };
  /** Whether its labels stand above its fields: those of further documents are those of the first. */
  const isLabelled = index === 0 || !isFile;
  const shown = open || Object.keys(errors ?? {}).some((field) => field !== "name" && field !== "required");
  const more = [
    entry.description,
    entry.showIf && t("labelled", { label: t("questions:askIf"), value: entry.showIf.name }),
    ...entry.attachments.map(({ fileName }) => fileName),
    ...DETAILS.filter((flag) => isUsed(flag, entry)).map((flag) => t(`document.${flag}`)),
    entry.asksValidUntil && t("questions:validUntil"),
    entry.renewDays !== null && t("questions:renewal", { count: entry.renewDays }),
  ];
  const press = (event: KeyboardEvent) => {
    // While a word is composed, Enter accepts it.
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !onEnter) return;
    event.preventDefault();
    onEnter();
  };
  const paste = (event: ClipboardEvent) => {
    const lines = pastedLines(event.clipboardData.getData("text"));
    if (lines.length < 2 || !onPasteLines) return;
    event.preventDefault();
    onPasteLines(lines);
  };
  // Once: who chooses other types afterwards wants those.
  const isFitted = useRef(false);
  const fit = () => {
    const fitting = fittingTypes(entry);
    if (!fitting || isFitted.current) return;
    isFitted.current = true;
    setValue(at, { ...entry, ...fitting }, { shouldDirty: true });
  };
  /** A renamed entry keeps its conditions. */
  const rename = (name: string) => {
    const before = documentKey(entry.name);
    if (!before) return;
    getValues(list).forEach(({ showIf }, other) => {
      if (showIf && documentKey(showIf.name) === before)
        setValue(`${list}.${other}.showIf`, { ...showIf, name }, { shouldDirty: true });
    });
  };
  return (
    <li ref={row} className="py-3">
      <div className="flex items-start gap-1 sm:gap-2">
        {moving ? (
          <Handle name={name} index={index} isLabelled={isLabelled} {...moving} />
        ) : (
          <span className="w-1 max-sm:hidden" />
        )}
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-x-3 gap-y-2 min-[380px]:grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[minmax(0,1fr)_9.5rem_auto]">
          <Field
            label={t(isFile ? "document.name" : "questions:question")}
            hiddenLabel={!isLabelled}
            required
            hint={unfilled && t("document.nameAsTyped", { names: unfilled })}
            error={fieldError(nameError)}
            className="min-[380px]:max-sm:col-span-2"
          >
            <GrowingInput
              text={entry.name || number}
              autoFocus={autoFocus}
              autoComplete="off"
              enterKeyHint={onEnter && "next"}
              placeholder={number}
              maxLength={LIMITS.name}
              onKeyDown={press}
              onPaste={paste}
              {...register(`${at}.name`, {
                onBlur: fit,
                onChange: (event: { target: { value: string } }) => rename(event.target.value),
              })}
            />
          </Field>
          {isFile ? (
            <FileTypesSelect
              name={`${at}.allowedFileTypes`}
              hiddenLabel={index > 0}
              onOther={() => {
                setOpen(true);
                setEditsTypes(true);
              }}
            />
          ) : (
            <Field label={t("questions:kind")}>
              <Select
                value={kind.value}
                onChange={(value) => {
                  kind.onChange(value);
                  setValue(`${at}.min`, "");
                  setValue(`${at}.max`, "");
                }}
                options={QUESTION_KINDS.map((value) => ({ value, label: t(`questions:kinds.${value}`) }))}
              />
            </Field>
          )}
          <SwitchField
            name={`${at}.required`}
            label={t("document.required")}
            className={cx("h-9 max-sm:self-end", isLabelled && "sm:mt-6.5")}
          />
        </div>
        <div
          className={cx("flex shrink-0 max-sm:flex-col sm:h-9 sm:items-center", isLabelled && "sm:mt-6.5")}
        >
          <IconButton
            icon={ChevronDown}
            data-details
            label={t("document.details", { name })}
            tip={t("document.detailsShort")}
            aria-expanded={shown}
            aria-controls={details}
            onClick={() => setOpen(!shown)}
            className={cx("[&_svg]:transition-transform [&_svg]:duration-150", shown && "[&_svg]:rotate-180")}
          />
          {onDuplicate && (
            <IconButton
              icon={Copy}
              label={t("document.duplicate", { name })}
              tip={t("document.duplicateShort")}
              onClick={onDuplicate}
            />
          )}
          {onRemove && (
            <IconButton
              icon={Trash2}
              tone="danger"
              label={t("document.remove", { name })}
              tip={t("delete")}
              onClick={onRemove}
            />
          )}
        </div>
      </div>
      {!shown && more.some(Boolean) && (
        <p className={cx("mt-1 truncate text-ink-soft text-xs", moving ? "pl-8 sm:pl-9" : "sm:pl-3")}>
          {more.filter(Boolean).join(" · ")}
        </p>
      )}
      <div
        id={details}
        hidden={!shown}
        className={cx("mt-3 grid grid-cols-1 gap-4 sm:grid-cols-2", moving ? "sm:pl-9" : "sm:pl-3")}
      >
        <Field
          label={t(isFile ? "document.description" : "questions:help")}
          error={fieldError(errors?.description)}
          className="sm:col-span-2"
        >
          <GrowingInput
            text={entry.description}
            autoComplete="off"
            maxLength={LIMITS.text}
            {...register(`${at}.description`)}
          />
        </Field>
        {isFile ? (
          <ExtensionsOnDemand
            name={`${at}.allowedFileTypes`}
            shown={editsTypes}
            onShow={() => setEditsTypes(true)}
          />
        ) : (
          <QuestionFields list={list} index={index} />
        )}
        <div className={cx("flex flex-col items-start gap-3 empty:hidden", isFile && "sm:pt-6.5")}>
          {DETAILS.filter((flag) => (flag === "multiple" ? isFile : entry.required)).map((flag) => (
            <SwitchField
              key={flag}
              name={`${at}.${flag}`}
              label={t(isFile ? `document.${flag}` : "questions:reasonAllowed")}
            />
          ))}
          {entry.multiple && (
            <p className="text-ink-soft text-xs">
              {t("document.multipleHint", { max: LIMITS.filesPerDocument })}
            </p>
          )}
        </div>
        {isFile && <ValidityFields list={list} index={index} />}
        <ConditionFields list={list} index={index} />
        {isFile && <AttachmentFields list={list} index={index} entry={entry} workspaceId={workspaceId} />}
        {moving && (
          <div className="flex flex-wrap gap-2 sm:col-span-2">
            <MoveButton
              name={name}
              by="moveUp"
              disabled={index === 0}
              onMove={() => moving.onMove(index - 1)}
            />
            <MoveButton
              name={name}
              by="moveDown"
              disabled={moving.isLast}
              onMove={() => moving.onMove(index + 1)}
            />
          </div>
        )}
      </div>
    </li>
  );
}

/** The names in a pasted list, without its bullets. */
export const pastedLines = (text: string): string[] =>
  text.split(/[\r\n]+/).flatMap((line) => {
    const name = line
      .replace(/^\s*(?:[-–•*·▪]|\d{1,3}[.)])\s+/, "")
      .replaceAll("\t", " ")
      .trim();
    return name ? [name.slice(0, LIMITS.name)] : [];
  });

const isUsed = (flag: (typeof DETAILS)[number], entry: DocumentValues): boolean =>
  entry[flag] && (flag !== "reasonAllowed" || entry.required);

type MoveButtonProps = { name: string; by: "moveUp" | "moveDown"; disabled: boolean; onMove: () => void };

function MoveButton({ name, by, disabled, onMove }: MoveButtonProps) {
  const { t } = useTranslation(["questions", "common"]);
  return (
    <Button
      size="sm"
      disabled={disabled}
      aria-label={t("common:labelled", { label: t(by), value: name })}
      onClick={onMove}
    >
      {t(by)}
    </Button>
  );
}

type HandleProps = Omit<Moving, "isLast"> & { name: string; index: number; isLabelled: boolean };

/** Moves the row: dragged, or by the arrow keys. */
function Handle({ name, index, isLabelled, onMove, onDragStart }: HandleProps) {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <span className={cx("flex", isLabelled && "mt-6.5")}>
      <IconButton
        icon={GripVertical}
        data-handle
        label={t("document.move", { name })}
        tip={t("document.moveHint")}
        onKeyDown={press}
        onPointerDown={onDragStart}
        className="h-9 w-7 cursor-grab touch-none"
      />
    </span>
  );
}
