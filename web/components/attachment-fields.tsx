import { useIsMutating, useMutation } from "@tanstack/react-query";
import { Paperclip, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ATTACHMENT_TYPES } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { api, json } from "../lib/api";
import type { DocumentValues } from "../lib/document-entries";
import { errorText } from "../lib/error-text";
import { useFormat } from "../lib/use-format";
import { Button } from "./ui/button";
import { FieldError } from "./ui/field";
import { FileName } from "./ui/file-name";
import { IconButton } from "./ui/icon-button";

const ATTACHING = ["attaching"];

/** Whether a form is being uploaded, which would be lost if its entry was left. */
export const useIsAttaching = () => useIsMutating({ mutationKey: ATTACHING }) > 0;

/** Uploads a form into the workspace, or into the first one. */
const useUpload = (workspaceId: number | undefined) =>
  useMutation({
    mutationKey: ATTACHING,
    mutationFn: (file: File) => {
      const body = new FormData();
      if (workspaceId !== undefined) body.append("workspaceId", String(workspaceId));
      body.append("file", file);
      return json(api.attachments.$post({}, { init: { body } }));
    },
  });

type AttachmentFieldsProps = {
  list: string;
  index: number;
  entry: DocumentValues;
  workspaceId: number | undefined;
};

/** The forms that the recipient downloads and fills in. */
export function AttachmentFields({ list, index, entry, workspaceId }: AttachmentFieldsProps) {
  const { t, i18n } = useTranslation(["questions", "errors", "validation", "common"]);
  const { size } = useFormat();
  const { getValues, setValue } = useFormContext<Record<string, DocumentValues[]>>();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const upload = useUpload(workspaceId);
  /** Of the entry, which may be moved while a file is uploaded. */
  const row = useRef(index);
  useEffect(() => {
    row.current = index;
  }, [index]);
  const change = (attachments: DocumentValues["attachments"]) =>
    setValue(`${list}.${row.current}.attachments`, attachments, { shouldDirty: true });
  const attach = (file: File) => {
    setTooLarge(file.size > LIMITS.attachment);
    upload.reset();
    if (file.size > LIMITS.attachment) return;
    upload.mutate(file, {
      onSuccess: (added) => change([...getValues(`${list}.${row.current}.attachments`), added]),
    });
  };
  const error = tooLarge
    ? t("errors:attachment_too_large", { maxMb: LIMITS.attachment / 1024 / 1024 })
    : upload.isError && errorText(upload.error, i18n.t);
  return (
    <div className="flex min-w-0 flex-col items-start gap-1.5 sm:col-span-2">
      {entry.attachments.length > 0 && (
        <ul className="w-full">
          {entry.attachments.map(({ id, fileName, fileSize }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <Paperclip aria-hidden className="size-4 shrink-0 text-ink-soft" />
              <a href={`/api/attachments/${id}`} download={fileName} className="min-w-0 hover:underline">
                <FileName name={fileName} truncated />
              </a>
              <span className="shrink-0 text-ink-soft text-xs tabular-nums">{size(fileSize)}</span>
              <IconButton
                icon={X}
                label={t("common:document.remove", { name: fileName })}
                tip={t("common:delete")}
                onClick={() => {
                  flushSync(() => change(entry.attachments.filter((other) => other.id !== id)));
                  button.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        accept={ATTACHMENT_TYPES.map((type) => `.${type}`).join()}
        aria-label={t("attach")}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file) attach(file);
        }}
      />
      <Button
        ref={button}
        size="sm"
        loading={upload.isPending}
        disabled={entry.attachments.length >= LIMITS.attachmentsPerDocument}
        aria-label={
          entry.name ? t("common:labelled", { label: t("attach"), value: entry.name }) : t("attach")
        }
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden />
        {t("attach")}
      </Button>
      <p role="status" className="text-ink-soft text-xs">
        {upload.isPending ? t("attaching", { file: upload.variables.name }) : t("attachHint")}
      </p>
      {error && <FieldError>{error}</FieldError>}
    </div>
  );
}
