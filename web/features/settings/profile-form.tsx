import { valibotResolver } from "@hookform/resolvers/valibot";
import { BadgeCheck, CircleAlert } from "lucide-react";
import { useEffect } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { normalizeAddress } from "../../../worker/contract/patterns";
import { fieldsOf } from "../../components/form-fields";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { showSaved, showServerIssues } from "../../lib/form";
import { useNameOrder } from "../../lib/use-name-order";
import { type User, useResendVerification } from "../auth/auth.queries";
import { useSaveProfile, useSkipOnboarding } from "./settings.queries";
import { isProfileField, type ProfileValues, profileSchema, profileValues } from "./settings.schema";

const { TextField } = fieldsOf<ProfileValues>();

type ProfileFormProps = { user: User; onDirty: (dirty: boolean) => void; onOnboarded: () => void };

/** Until onboarding is completed, saving completes it. */
export function ProfileForm({ user, onDirty, onOnboarded }: ProfileFormProps) {
  const { t } = useTranslation(["profile", "common", "validation"]);
  const { inNameOrder } = useNameOrder();
  const save = useSaveProfile();
  const skip = useSkipOnboarding();
  const form = useForm({
    resolver: valibotResolver(profileSchema),
    defaultValues: profileValues(user),
  });
  const { isDirty } = form.formState;
  const typedEmail = useWatch({ control: form.control, name: "email" });
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  const submit = form.handleSubmit((values) => {
    const sent = form.getValues();
    save.mutate(values, {
      onSuccess: (saved) => {
        showSaved(form, sent, profileValues(saved));
        if (!saved.onboardingCompleted) skip.mutate(undefined, { onSuccess: onOnboarded });
      },
      onError: (error) => showServerIssues(error, form.setError, isProfileField),
    });
  });
  const sameEmail = normalizeAddress(typedEmail) === normalizeAddress(user.email);
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
      <FormProvider {...form}>
        <TextField
          name="email"
          label={t("account.email")}
          hint={
            sameEmail
              ? user.confirmedEmail && t("account.pendingHint", { email: user.confirmedEmail })
              : t("account.newEmailHint")
          }
          aside={<EmailVerification verified={user.isVerified && user.isProved} />}
          className="sm:col-span-2"
          type="email"
          autoComplete="email"
          maxLength={LIMITS.email}
        />
        {inNameOrder(
          <TextField key="given" name="firstName" label={t("account.firstName")} autoComplete="given-name" />,
          <TextField key="family" name="lastName" label={t("account.lastName")} autoComplete="family-name" />,
        )}
        <TextField name="companyName" label={t("account.companyName")} autoComplete="organization" />
        <TextField
          name="phoneNumber"
          label={t("account.phoneNumber")}
          hint={t("account.phoneHint")}
          type="tel"
          autoComplete="tel"
          maxLength={undefined}
          placeholder="+1234567890"
        />
      </FormProvider>
      <Button
        type="submit"
        variant="primary"
        loading={save.isPending || skip.isPending}
        className="justify-self-start sm:col-span-2"
      >
        {user.onboardingCompleted ? t("common:saveChanges") : t("account.getStarted")}
      </Button>
    </form>
  );
}

/** Whether the e-mail address is verified by its owner, and a button to resend the verification mail. */
function EmailVerification({ verified }: { verified: boolean }) {
  const { t } = useTranslation("profile");
  const resend = useResendVerification();
  if (verified)
    return (
      <Badge tone="good" icon={BadgeCheck}>
        {t("account.verified")}
      </Badge>
    );
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone="warn" icon={CircleAlert}>
        {t("account.notVerified")}
      </Badge>
      <Button
        size="sm"
        variant="ghost"
        className="text-accent!"
        title={t("account.resendNamed")}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {t("account.resend")}
      </Button>
    </span>
  );
}
