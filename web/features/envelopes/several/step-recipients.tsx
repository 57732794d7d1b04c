import { ContactRound, Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { LanguageField } from "../../../components/language-field";
import { ColumnChoices, ListSource, type SampleFile } from "../../../components/list/list-source";
import { ListState } from "../../../components/list/list-state";
import { ListTable, type TableColumn } from "../../../components/list/list-table";
import { Button } from "../../../components/ui/button";
import { TemplateSelect } from "../wizard/template-select";
import { PickContacts } from "./pick-contacts";
import {
  blankRow,
  FIELDS,
  FILE_COLUMNS,
  placeholderOf,
  placeholdersOf,
  type RecipientRow,
  rowOfContact,
  valueField,
  withColumns,
  withRows,
  withTable,
} from "./recipient-list";
import type { useSeveralForm } from "./use-several-form";

const SAMPLE: SampleFile = {
  name: "recipients.csv",
  lines: [
    ["Name", "Email", "Phone", "Language", "Customer number"],
    ["Ada Lovelace", "ada@example.com", "+442079460000", "en", "1001"],
    ["Jürgen Groß", "juergen@example.com", "", "de", "1002"],
  ],
};

type StepRecipientsProps = {
  workspaceId: number | undefined;
  several: ReturnType<typeof useSeveralForm>;
};

/** Who gets it: contacts, the rows of a file, or typed. */
export function StepRecipients({ workspaceId, several }: StepRecipientsProps) {
  // With the texts of the picker: a dialog over this one that waits for them would stay hidden.
  const { t } = useTranslation(["several", "lists", "envelopes", "contacts"]);
  const { list, setList, left, setChosen } = several;
  const [picking, setPicking] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const names = placeholdersOf(list);
  const tableColumns = useTableColumns(names.join("\n"));

  const edit = useCallback(
    (index: number, field: string, value: string) =>
      setList((now) => ({
        ...now,
        rows: now.rows.with(index, { ...(now.rows[index] as RecipientRow), [field]: value }),
      })),
    [setList],
  );
  const toggle = useCallback(
    (index: number) =>
      setList((now) => ({
        ...now,
        left: now.left.includes(index) ? now.left.filter((one) => one !== index) : [...now.left, index],
      })),
    [setList],
  );
  const map = (columns: string[]) => {
    setChosen(null);
    setList((now) => withColumns(now, columns));
  };
  const choicesFor = (header: string) => {
    const placeholder = placeholderOf(header);
    return [
      ...FILE_COLUMNS.map((value) => ({ value: value as string, label: t(`lists:columns.${value}`) })),
      ...(placeholder === undefined
        ? []
        : [{ value: valueField(placeholder), label: t("placeholder", { name: `{${placeholder}}` }) }]),
    ];
  };
  return (
    <>
      <ListSource
        sample={SAMPLE}
        max={LIMITS.recipientsPerBulkSend}
        onRead={(table) => {
          if (!table) return;
          setChosen(null);
          setList((now) => withTable(now, table));
        }}
      >
        <Button autoFocus onClick={() => setPicking(true)}>
          <ContactRound aria-hidden />
          {t("pick.open")}
        </Button>
      </ListSource>
      <p role="alert" className="mt-3 text-bad empty:hidden">
        {several.isEmptyNoted && t("none")}
      </p>
      {list.rows.length === 0 ? (
        <p className="mt-2 text-ink-soft">{t("intro")}</p>
      ) : (
        <>
          {list.columns.length > 0 && (
            <ColumnChoices header={list.header} columns={list.columns} choicesFor={choicesFor} onMap={map} />
          )}
          <RecipientsState several={several} />
          <ListTable
            rows={list.rows}
            shown={several.chosen ?? [...list.rows.keys()]}
            columns={tableColumns}
            problemOf={several.problemOf}
            left={left}
            includeLabel={(number) => t("include", { number })}
            target={several.target}
            onEdit={edit}
            onToggle={toggle}
            onEnd={() => addButton.current?.focus()}
          />
        </>
      )}
      <Button
        ref={addButton}
        size="sm"
        variant="ghost"
        className="mt-2 mb-5"
        onClick={() => {
          setChosen(null);
          several.setTarget({ index: list.rows.length, field: "recipientName" });
          setList((now) => withRows(now, [blankRow()]));
        }}
      >
        <Plus aria-hidden />
        {t("addRow")}
      </Button>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TemplateSelect workspaceId={workspaceId} fills="everything" />
        <LanguageField hint={t("languageHint")} />
      </div>
      {picking && (
        <PickContacts
          workspaceId={workspaceId}
          present={new Set(list.rows.map(({ contactId }) => contactId))}
          onPick={(contacts) => {
            setPicking(false);
            setChosen(null);
            setList((now) => withRows(now, contacts.map(rowOfContact)));
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

/** The columns of the table: stable as long as the names of the placeholders are. */
function useTableColumns(joinedNames: string): TableColumn[] {
  const { t } = useTranslation("several");
  return useMemo(() => {
    const names = joinedNames === "" ? [] : joinedNames.split("\n");
    return [
      ...FIELDS.map((key) => ({
        key,
        label: t(`fields.${key}`),
        wide: key === "recipientName" || key === "recipientEmail",
      })),
      ...names.map((name) => ({ key: valueField(name), label: `{${name}}` })),
    ];
  }, [t, joinedNames]);
}

/** How many recipients there are, and how many rows need a correction. */
function RecipientsState({ several }: { several: ReturnType<typeof useSeveralForm> }) {
  const { t } = useTranslation(["several", "lists"]);
  const { list, wrong, lacking, tooMany, sent, chosen, setChosen } = several;
  const open = [...new Set([...wrong, ...lacking.map(({ index }) => index)])].sort((a, b) => a - b);
  const text =
    tooMany > 0
      ? t("tooMany", { count: tooMany, limit: LIMITS.recipientsPerBulkSend })
      : open.length > 0
        ? t("lists:wrong", { count: open.length })
        : t("count", { count: sent.length });
  return <ListState text={text} wrong={open} chosen={chosen} onChosen={setChosen} formulas={list.formulas} />;
}
