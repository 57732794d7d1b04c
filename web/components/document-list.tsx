import { Info, MessageCircleQuestionMark, Play, Plus } from "lucide-react";
import { type PointerEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { documentKey } from "../../worker/contract/document-names";
import { LIMITS } from "../../worker/contract/limits";
import type { Language } from "../../worker/contract/options";
import { QUESTION_KINDS } from "../../worker/contract/questions";
import { cx } from "../lib/cx";
import { type DocumentValues, emptyDocument, freeName, withFittingTypes } from "../lib/document-entries";
import { DocumentFields } from "./document-fields";
import { ActionMenu } from "./ui/action-menu";
import { Button } from "./ui/button";
import { ConfirmDialog } from "./ui/confirm-dialog";
import { lazyComponent } from "./ui/lazy-component";

const TryDialog = lazyComponent(() => import("./try-dialog"));

type DocumentListProps = {
  /** The form's field that holds the list. */
  list: string;
  /** Whether the first name takes the focus when the list is shown. */
  autoFocus?: boolean;
  /** The file types of a new document, if not the default ones. */
  fileTypes: readonly string[] | null | undefined;
  /** Where forms are stored, and as whose recipient the list is tried; undefined for the first one of the account. */
  workspaceId: number | undefined;
};

type Form = Record<string, DocumentValues[]>;

/** The requested documents in the form around it: a row for each, which can be moved, duplicated and removed. */
export function DocumentList({ list, autoFocus = false, fileTypes, workspaceId }: DocumentListProps) {
  const { t } = useTranslation(["common", "questions"]);
  const { getValues, setValue, setFocus } = useFormContext<Form>();
  const { fields, append, insert, move, remove } = useFieldArray<Form>({ name: list });
  const rows = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  /** Of what is typed name by name, the details stay closed. */
  const listing = useRef(false);
  const [moved, setMoved] = useState("");
  const [added, setAdded] = useState(0);
  /** The row whose removal leaves conditions without their question. */
  const [removing, setRemoving] = useState<number | null>(null);
  const full = fields.length >= LIMITS.documentsPerEnvelope;

  const focusRow = (index: number, part: string) =>
    rows.current?.children[index]?.querySelector<HTMLElement>(part)?.focus();
  const add = (entry: DocumentValues) => {
    listing.current = false;
    setAdded(added + 1);
    append(entry, { focusName: `${list}.${fields.length}.name` });
  };
  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    const name = getValues(`${list}.${from}.name`) || t("document.number", { number: from + 1 });
    flushSync(() => move(from, to));
    // The browser takes the focus from an element that is moved.
    focusRow(to, "[data-handle]");
    setMoved(t("document.moved", { name, position: to + 1, count: fields.length }));
  };
  /** Goes to the next name, of a new entry after the last one; a last entry without a name ends the list. */
  const goToNext = (index: number) => {
    if (index < fields.length - 1) setFocus(`${list}.${index + 1}.name`);
    else if (!getValues(`${list}.${index}.name`).trim()) {
      if (index > 0) flushSync(() => remove(index));
      addButton.current?.focus();
    } else if (!full) {
      listing.current = true;
      append(emptyDocument(fileTypes), { focusName: `${list}.${index + 1}.name` });
    }
  };
  /** Makes an entry of each line; the first is the name of the entry into which they are pasted. */
  const pasteLines = (index: number, lines: readonly string[]) => {
    const others = getValues(list).filter((_, other) => other !== index);
    const keys = new Set(others.map(({ name }) => documentKey(name)));
    const names = lines.filter((name) => {
      const key = documentKey(name);
      return !keys.has(key) && keys.add(key);
    });
    const room = LIMITS.documentsPerEnvelope - others.length;
    const entries = names
      .slice(0, room)
      .map((name) => withFittingTypes({ ...emptyDocument(fileTypes), name }));
    const [first, ...further] = entries;
    if (!first) return;
    setValue(`${list}.${index}.name`, first.name, { shouldDirty: true });
    insert(index + 1, further, { focusName: `${list}.${index + further.length}.name` });
    setMoved(t("document.pasted", { count: entries.length }));
  };
  const duplicate = (index: number) => {
    const entries = getValues(list);
    const { name = "", ...original } = entries[index] ?? emptyDocument();
    const copy = { ...original, name: freeName(name, entries) };
    insert(index + 1, copy, { focusName: `${list}.${index + 1}.name` });
  };
  /** The rows that are asked only if an entry is answered in some way. */
  const dependents = (index: number) => {
    const entries = getValues(list);
    const key = documentKey(entries[index]?.name ?? "");
    return entries.flatMap(({ showIf }, other) =>
      key && showIf && documentKey(showIf.name) === key ? [other] : [],
    );
  };
  const askToRemove = (index: number) =>
    dependents(index).length > 0 ? setRemoving(index) : removeRow(index);
  const removeRow = (index: number) => {
    for (const other of dependents(index)) setValue(`${list}.${other}.showIf`, null, { shouldDirty: true });
    flushSync(() => {
      setRemoving(null);
      remove(index);
    });
    // The pressed button is gone: the focus moves to the row that took its place, or to the last one.
    focusRow(Math.min(index, fields.length - 2), "[data-details]");
  };
  const drag = (event: PointerEvent, start: number) => {
    if (event.button !== 0) return;
    let from = start;
    const end = new AbortController();
    const { signal } = end;
    const follow = ({ clientY }: globalThis.PointerEvent) => {
      const middles = [...(rows.current?.children ?? [])].map((row) => {
        const { top, height } = row.getBoundingClientRect();
        return top + height / 2;
      });
      const above = middles.findIndex((middle, index) => index < from && clientY < middle);
      const to =
        above >= 0 ? above : middles.findLastIndex((middle, index) => index > from && clientY > middle);
      if (to < 0) return;
      moveTo(from, to);
      from = to;
    };
    // On the window: the handle is taken out of the page while its row moves.
    addEventListener("pointermove", follow, { signal });
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => end.abort(), { signal });
  };
  return (
    <>
      <ul ref={rows} className="divide-y divide-line border-line border-y">
        {fields.map((entry, index) => (
          <DocumentFields
            key={entry.id}
            list={list}
            index={index}
            workspaceId={workspaceId}
            added={added}
            autoFocus={autoFocus && index === 0}
            startOpen={fields.length === 1 || !(entry.name || listing.current)}
            onEnter={() => goToNext(index)}
            onPasteLines={(lines) => pasteLines(index, lines)}
            moving={
              fields.length > 1
                ? {
                    isLast: index === fields.length - 1,
                    onMove: (to) => moveTo(index, to),
                    onDragStart: (event) => drag(event, index),
                  }
                : undefined
            }
            onDuplicate={full ? undefined : () => duplicate(index)}
            onRemove={fields.length > 1 ? () => askToRemove(index) : undefined}
          />
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {moved}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button ref={addButton} disabled={full} onClick={() => add(emptyDocument(fileTypes))}>
          <Plus aria-hidden />
          {t("document.add")}
        </Button>
        {!full && (
          <ActionMenu
            as={Button}
            to="top start"
            actions={QUESTION_KINDS.map((kind) => ({
              label: t(`questions:kinds.${kind}`),
              onAction: () => add({ ...emptyDocument(), kind }),
            }))}
          >
            <MessageCircleQuestionMark aria-hidden />
            {t("questions:add")}
          </ActionMenu>
        )}
        <TryList list={list} workspaceId={workspaceId} />
      </div>
      <NothingRequired list={list} onAllRequired={() => focusRow(fields.length - 1, "[role=switch]")} />
      {removing !== null && (
        <ConfirmDialog
          open
          title={t("questions:removeTitle")}
          text={t("questions:removeText")}
          confirmLabel={t("questions:removeConfirm")}
          onCancel={() => setRemoving(null)}
          onConfirm={() => removeRow(removing)}
        />
      )}
    </>
  );
}

type NothingRequiredProps = Pick<DocumentListProps, "list"> & { onAllRequired: () => void };

/** With no required document, any one file completes the envelope, which is rarely intended. */
function NothingRequired({ list, onAllRequired }: NothingRequiredProps) {
  const { t } = useTranslation("questions");
  const { setValue } = useFormContext<Form>();
  const documents: DocumentValues[] = useWatch({ name: list });
  const shown = documents.length > 0 && documents.every(({ required }) => !required);
  return (
    <div className={cx("flex flex-wrap items-center gap-2", !shown && "sr-only")}>
      <p role="status" className="flex min-w-0 gap-2 text-ink-soft text-sm">
        {shown && (
          <>
            <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("nothingRequired")}
          </>
        )}
      </p>
      {shown && documents.length > 1 && (
        <Button
          size="sm"
          onClick={() => {
            documents.forEach((_, index) => {
              setValue(`${list}.${index}.required`, true, { shouldDirty: true });
            });
            // This button is removed.
            onAllRequired();
          }}
        >
          {t("requireAll")}
        </Button>
      )}
    </div>
  );
}

/** "Try it", where there is a question: shows the list as the recipient gets it. */
function TryList({ list, workspaceId }: Pick<DocumentListProps, "list" | "workspaceId">) {
  const { t } = useTranslation("questions");
  const { getValues, trigger } = useFormContext();
  const documents: DocumentValues[] = useWatch({ name: list });
  const [trying, setTrying] = useState(false);
  if (documents.every(({ kind }) => kind === "file")) return null;
  return (
    <>
      <Button onClick={async () => setTrying(await trigger(list, { shouldFocus: true }))}>
        <Play aria-hidden />
        {t("tryIt")}
      </Button>
      {trying && (
        <TryDialog
          documents={documents}
          workspaceId={workspaceId}
          language={(getValues("language") as Language) || null}
          onClose={() => setTrying(false)}
        />
      )}
    </>
  );
}
