import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { emailAddress, messageKey } from "../../lib/form";
import { useFieldError } from "../../lib/use-field-error";
import { useFormat } from "../../lib/use-format";
import {
  type Invitation,
  instanceQuery,
  invitationsQuery,
  useInvite,
  useWithdraw,
} from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

const schema = v.object({ email: emailAddress(messageKey("invalidEmailAddress"), LIMITS.email) });

export function InvitationsSection() {
  const { t } = useTranslation("administration");
  const query = useQuery(invitationsQuery);
  const signUp = useQuery(instanceQuery).data?.signUp;
  return (
    <Section title={t("invite.title")} text={signUp === "off" ? t("invite.off") : t("invite.text")}>
      {signUp !== "off" && <InviteForm />}
      {query.data ? <OpenInvitations rows={query.data} /> : <SectionPlaceholder query={query} />}
    </Section>
  );
}

function InviteForm() {
  const { t } = useTranslation(["administration", "validation"]);
  const fieldError = useFieldError();
  const invite = useInvite();
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { email: "" } });
  const submit = form.handleSubmit(({ email }) =>
    invite.mutate(email, {
      onSuccess: () => {
        form.reset();
        form.setFocus("email");
      },
    }),
  );
  return (
    <form noValidate onSubmit={submit} className="flex max-w-xl flex-wrap items-start gap-2">
      <Field
        label={t("invite.email")}
        error={fieldError(form.formState.errors.email)}
        className="min-w-40 flex-1"
      >
        <Input type="email" autoComplete="off" {...form.register("email")} />
      </Field>
      <Button type="submit" variant="primary" loading={invite.isPending} className="mt-6.5">
        {t("invite.submit")}
      </Button>
    </form>
  );
}

function OpenInvitations({ rows }: { rows: Invitation[] }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const withdraw = useWithdraw();
  if (rows.length === 0) return null;
  return (
    <ul
      aria-label={t("invite.open")}
      className="mt-4 divide-y divide-line rounded-card border border-line bg-surface px-4"
    >
      {rows.map(({ id, email, expiresAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5">
          <span className="min-w-0">
            <span className="block break-words font-medium">{email}</span>
            <span className="block text-ink-soft text-xs">
              {t("invite.expires", { date: format.dateTime(expiresAt) })}
            </span>
          </span>
          <Button
            size="sm"
            aria-label={t("withdraw.named", { email })}
            loading={withdraw.isPending && withdraw.variables === id}
            onClick={() => withdraw.mutate(id)}
          >
            {t("withdraw.submit")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
