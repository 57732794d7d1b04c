import { valibotResolver } from "@hookform/resolvers/valibot";
import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { isEmailAddress, normalizeAddress } from "../../worker/contract/patterns";
import { isUnconfirmed } from "../lib/api";
import { cx } from "../lib/cx";
import { errorText } from "../lib/error-text";
import { messageKey, useFieldError } from "../lib/form";
import { toasts } from "../lib/mutation-meta";
import { Button } from "./ui/button";
import { Field } from "./ui/field";
import { Textarea } from "./ui/input";

/** Those with a name, `Ann Example <ann@example.com>`, contain white space. */
const addressesOf = (typed: string) => [
  ...new Set(
    typed
      .split(typed.includes("<") ? /[\n,;]+/ : /[\s,;]+/)
      .map(normalizeAddress)
      .filter(Boolean),
  ),
];

/** One or more addresses, divided by white space, commas or semicolons. */
const schema = v.object({
  emails: v.pipe(
    v.string(),
    v.check((typed) => {
      const addresses = addressesOf(typed);
      return addresses.length > 0 && addresses.every(isEmailAddress);
    }, messageKey("invalidEmailAddress")),
  ),
});

/** The addresses that are invalid, if others are not: with one address the field's own message is enough. */
function invalidOf(typed: string): string {
  const addresses = addressesOf(typed);
  return addresses.length < 2 ? "" : addresses.filter((address) => !isEmailAddress(address)).join(", ");
}

type Result = { email: string; error?: unknown };

type InviteFormProps = {
  invite: (email: string) => Promise<unknown>;
  onSettled: () => unknown;
  onDirty?: (dirty: boolean) => void;
  children?: ReactNode;
};

/** Invites each address, one after the other, and shows what became of it. Those that failed stay in the field. */
export function InviteForm({ invite, onSettled, onDirty, children }: InviteFormProps) {
  const { t } = useTranslation(["workspace", "validation", "errors"]);
  const fieldError = useFieldError();
  const [results, setResults] = useState<Result[]>([]);
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { emails: "" } });
  const send = useMutation({
    mutationFn: async (emails: string[]) => {
      const tried: Result[] = [];
      for (const email of emails) {
        // Who does not confirm that it is them is not asked again for each of the others.
        const unconfirmed = tried.find(({ error }) => isUnconfirmed(error));
        const result = unconfirmed ? Promise.reject(unconfirmed.error) : invite(email);
        tried.push(
          await result.then(
            () => ({ email }),
            (error: unknown) => ({ email, error }),
          ),
        );
      }
      setResults(tried);
      const failed = tried.filter(({ error }) => error);
      if (failed[0] && failed.length === tried.length) throw failed[0].error;
      return failed.map(({ email }) => email);
    },
    onSuccess: (failed) => {
      form.reset({ emails: failed.join(" ") });
      form.setFocus("emails");
    },
    onSettled,
    meta: toasts("workspace:invite.done", "workspace:invite.failed"),
  });
  const { isDirty } = form.formState;
  useEffect(() => onDirty?.(isDirty), [onDirty, isDirty]);
  const problem = fieldError(form.formState.errors.emails);
  const invalid = problem ? invalidOf(form.getValues("emails")) : "";
  const submit = form.handleSubmit(({ emails }) => send.mutate(addressesOf(emails)));
  return (
    <form noValidate onSubmit={submit} className="max-w-xl">
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label={t("invite.email")}
          hint={t("invite.several")}
          error={problem && invalid ? t("invite.invalid", { problem, addresses: invalid }) : problem}
          className="min-w-[min(12rem,100%)] flex-1"
        >
          <Textarea
            rows={1}
            className="min-h-9! py-[7px]! touch:min-h-10!"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.register("emails")}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey) return;
              event.preventDefault();
              void submit();
            }}
          />
        </Field>
        <div className="flex flex-wrap items-end gap-2">
          {children}
          <Button
            type="submit"
            variant="primary"
            loading={send.isPending}
            className={children ? undefined : "sm:mt-6.5"}
          >
            {t("invite.submit")}
          </Button>
        </div>
      </div>
      {(results.length > 1 || send.isError) && <Results results={results} />}
    </form>
  );
}

function Results({ results }: { results: readonly Result[] }) {
  const { t, i18n } = useTranslation(["workspace", "validation", "errors"]);
  return (
    <div role="status" aria-label={t("invite.results")} className="mt-3">
      <ul className="space-y-1">
        {results.map(({ email, error }) => {
          const Icon = error ? CircleAlert : CircleCheck;
          return (
            <li key={email} className={cx("flex items-start gap-1.5", error ? "text-bad" : "text-good")}>
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {error
                  ? t("invite.notSent", { email, reason: errorText(error, i18n.t) })
                  : t("invite.sent", { email })}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
