import { Check, Copy } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { toast } from "../../components/ui/toast-store";
import { useKeepOpen } from "../../lib/use-close-on-back";
import { useCopy } from "../../lib/use-copy";

type SecretDialogProps = { title: string; label: string; secret: string; onClose: () => void };

/**
 * Shows a secret, only once. Only the button closes it, since Escape, a click outside or the back button would lose the secret: they
 * move the focus to the button.
 */
export function SecretDialog({ title, label, secret, onClose }: SecretDialogProps) {
  const { t } = useTranslation("integrations");
  const input = useRef<HTMLInputElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  useKeepOpen(done);
  const { copied, copy } = useCopy(secret, () => {
    input.current?.select();
    toast({ title: t("secret.copyFailed"), text: t("secret.copyFailedText"), destructive: true });
  });
  return (
    <Dialog
      onClose={() => done.current?.focus()}
      hideCloseButton
      width="sm"
      title={title}
      description={t("secret.once")}
      footer={
        <>
          <Button onClick={() => void copy()}>
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {t(copied ? "secret.copied" : "secret.copy")}
          </Button>
          <Button ref={done} variant="primary" onClick={onClose}>
            {t("secret.done")}
          </Button>
        </>
      }
    >
      <Field label={label} hint={t("secret.keep")}>
        <Input
          ref={input}
          readOnly
          value={secret}
          className="font-mono"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
      <p role="status" className="sr-only">
        {copied && t("secret.copied")}
      </p>
    </Dialog>
  );
}
