import { useQueries, useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useDeferredValue } from "react";
import { useController } from "react-hook-form";
import { useTranslation } from "react-i18next";
import {
  DEFAULT_FOLDER_RULE,
  deliveryPath,
  FOLDER_FIELDS,
  type FolderValues,
  isFolderRule,
  MAX_FOLDER_PATH,
} from "../../../../worker/contract/delivery-path";
import { DEFAULT_FILE_NAME_RULE, nameFiles } from "../../../../worker/contract/file-name-rule";
import { RuleField } from "../../../components/rule-field";
import { useFieldError } from "../../../lib/form";
import { useShownName } from "../../../lib/shown-name";
import { userQuery } from "../../auth/auth.queries";
import { contactName, contactQuery } from "../../contacts/contacts.queries";
import { templateQuery } from "../../templates/templates.queries";
import type { Workspace } from "../../workspaces/workspaces.queries";
import { type Client, clientsQuery, examplesQuery } from "./destinations.queries";

/** The rule that names the folders, with where files of real envelopes would go, as it is typed. */
export function FolderRuleField({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation(["destinations", "workspace", "validation"]);
  const { field, fieldState } = useController({ name: "folderRule" });
  const error = useFieldError()(fieldState.error);
  const rule = useDeferredValue<string>(field.value.trim() || DEFAULT_FOLDER_RULE);
  const isValid = isFolderRule(rule);
  return (
    <div className="flex flex-col gap-2.5">
      <RuleField
        label={t("form.folderRule")}
        hint={t("form.folderRuleHint")}
        error={isValid ? error : t("validation:invalidFolderRule")}
        value={field.value}
        onChange={field.onChange}
        placeholder={DEFAULT_FOLDER_RULE}
        maxLength={MAX_FOLDER_PATH}
        fields={FOLDER_FIELDS.map((name) => ({ name, label: t(`form.fields.${name}`) }))}
        fieldsLabel={t("form.insert")}
      />
      {isValid && <Preview rule={rule} workspace={workspace} />}
      {isValid && <SharedFolders rule={rule} workspace={workspace} />}
    </div>
  );
}

type ShownProps = { rule: string; workspace: Workspace };

/** Where the first file of the latest envelopes would go; or of an invented one, while there are none. */
function Preview({ rule, workspace }: ShownProps) {
  const { t } = useTranslation("destinations");
  const shown = useShownName();
  const { data: user } = useQuery(userQuery);
  const { data: examples } = useQuery(examplesQuery(workspace.id));
  const found = (examples ?? []).filter(({ documents }) => documents.some(({ kind }) => kind === "file"));
  const contacts = useQueries({ queries: found.map(({ contactId }) => contactQuery(contactId)) });
  const templates = useQueries({ queries: found.map(({ templateId }) => templateQuery(templateId)) });
  const today = new Date().toISOString().slice(0, "2026-11-27".length);
  const inventedName = [user?.firstName, user?.lastName].filter(Boolean).join(" ") || (user?.email ?? "");
  const real = found.map((envelope, index) => {
    const { recipientName, customerEmail, subject, title, completedAt, documents, submissions } = envelope;
    const { data: contact } = contacts[index] ?? {};
    return {
      key: envelope.id,
      folder: contact?.folder ?? null,
      company: contact?.company ?? "",
      recipient: recipientName || customerEmail,
      subject: subject || title,
      template: templates[index]?.data?.name ?? "",
      date: completedAt?.slice(0, today.length) ?? today,
      document: documents.find(({ kind }) => kind === "file")?.name ?? "",
      original: submissions[0]?.fileName ?? ".pdf",
    };
  });
  const invented = {
    ...{ key: 0, folder: null, company: t("form.sample.company"), recipient: inventedName, date: today },
    ...{ subject: t("form.sample.subject"), template: t("form.sample.template") },
    ...{ document: t("form.sample.document"), original: ".pdf" },
  };
  if (!examples) return null;
  return (
    <div className="rounded-control bg-sunken px-3 py-2 text-sm">
      <p className="font-medium text-ink-soft text-xs">
        {t(real.length > 0 ? "form.preview" : "form.previewInvented")}
      </p>
      <output aria-live="off" className="mt-1 block space-y-1">
        {(real.length > 0 ? real : [invented]).map(({ key, ...values }) => (
          <span key={key} className="block [overflow-wrap:anywhere]">
            {pathOf(rule, { ...values, workspace: shown(workspace.name) }, workspace.fileNameRule)}
          </span>
        ))}
      </output>
    </div>
  );
}

type FileValues = FolderValues & { document: string; original: string };

function pathOf(rule: string, values: FileValues, fileNameRule: string | null): string {
  const [fileName = ""] = nameFiles(fileNameRule ?? DEFAULT_FILE_NAME_RULE, [values]);
  const { folder, name } = deliveryPath(rule, values, fileName);
  return [...folder, name].join(" › ");
}

/** Warns of clients whose files would go into the same folder. */
function SharedFolders({ rule, workspace }: ShownProps) {
  const { t } = useTranslation("destinations");
  const uses = rule.includes("{clientFolder}");
  const { data: clients = [] } = useQuery({ ...clientsQuery(workspace.id), enabled: uses });
  const shared = uses ? sharedFolders(clients) : [];
  const [first] = shared;
  if (!first) return null;
  return (
    <p role="status" className="flex items-start gap-2 rounded-control bg-warn-soft p-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span className="min-w-0 break-words">
        {[
          t("form.shared", {
            count: first.names.length,
            folder: first.folder,
            names: first.names.join(", "),
          }),
          shared.length > 1 && t("form.sharedMore", { count: shared.length - 1 }),
        ]
          .filter(Boolean)
          .join(" ")}
      </span>
    </p>
  );
}

const NO_VALUES = { subject: "", template: "", workspace: "", date: "" };

/** The folders that several clients would share, with their names. */
export function sharedFolders(clients: readonly Client[]): { folder: string; names: string[] }[] {
  const byFolder = new Map<string, { folder: string; names: string[] }>();
  for (const client of clients) {
    const values = { ...NO_VALUES, ...client, company: client.company ?? "", recipient: contactName(client) };
    const folder = deliveryPath("{clientFolder}", values, "").folder.join(" › ");
    const key = folder.toLowerCase();
    const known = byFolder.get(key) ?? { folder, names: [] };
    known.names.push(client.email ?? contactName(client));
    byFolder.set(key, known);
  }
  return [...byFolder.values()].filter(({ folder, names }) => folder !== "" && names.length > 1);
}
