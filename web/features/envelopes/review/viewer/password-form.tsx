import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/ui/button";
import { Field } from "../../../../components/ui/field";
import { Input } from "../../../../components/ui/input";
import { DownloadButton } from "../../download";
import type { Submission } from "../../envelopes.queries";
import { ViewMessage } from "./view";

type PasswordFormProps = {
  file: Submission;
  /** The last password did not open the file. */
  wrong: boolean;
  onPassword: (password: string) => void;
};

/** Asks for the password of a PDF. It stays in this page. */
export function PasswordForm({ file, wrong, onPassword }: PasswordFormProps) {
  const { t } = useTranslation("review");
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) onPassword(password);
  };
  return (
    <ViewMessage>
      <form noValidate onSubmit={submit} className="space-y-3">
        <p className="text-ink">{t("mode.locked")}</p>
        <Field
          label={t("mode.password")}
          hint={t("mode.passwordHint")}
          error={wrong ? t("mode.passwordWrong") : undefined}
          className="text-left"
        >
          <Input
            type="password"
            autoComplete="off"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <div className="flex flex-wrap justify-center gap-2">
          <Button type="submit" size="sm" variant="primary">
            {t("mode.unlock")}
          </Button>
          <DownloadButton submission={file} />
        </div>
      </form>
    </ViewMessage>
  );
}
