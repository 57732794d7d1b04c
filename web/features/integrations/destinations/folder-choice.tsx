import { useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Field, FieldError } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { errorText } from "../../../lib/error-text";
import { useFieldError } from "../../../lib/form";
import { type CloudFolder, useFindFolder } from "./destinations.queries";
import { FolderTree } from "./folder-tree";

/** The folder of a Microsoft destination: from the tree of the own drive, or by its address in SharePoint. */
export function FolderChoice({ destinationId }: { destinationId: number }) {
  const { t, i18n } = useTranslation(["destinations", "errors", "validation"]);
  const { field } = useController({ name: "settings" });
  const { getFieldState, formState } = useFormContext();
  const error = useFieldError()(getFieldState("settings.folderId", formState).error);
  const find = useFindFolder(destinationId);
  const [address, setAddress] = useState("");
  const search = () => find.mutate(address, { onSuccess: ([found]) => found && choose(found) });
  const choose = ({ id, name, driveId = "" }: CloudFolder) =>
    field.onChange({ driveId, folderId: id, folderName: name });
  const { folderId, folderName } = field.value;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 font-medium text-sm">{t("folder.label")}</legend>
      <FolderTree destinationId={destinationId} chosen={folderId} onChoose={choose} />
      <Field
        label={t("folder.address")}
        hint={t("folder.addressHint")}
        error={find.error ? errorText(find.error, i18n.t) : undefined}
      >
        <span className="flex gap-2">
          <Input
            type="url"
            autoComplete="off"
            value={address}
            onChange={({ target }) => setAddress(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              if (address) search();
            }}
          />
          <Button loading={find.isPending} disabled={address === ""} onClick={search}>
            {t("folder.find")}
          </Button>
        </span>
      </Field>
      <p role="status" className="text-ink-soft">
        {folderName ? t("folder.chosen", { name: folderName }) : t("folder.none")}
      </p>
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
