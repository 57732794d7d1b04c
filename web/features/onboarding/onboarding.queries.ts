import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { DocumentEntry } from "../../../worker/contract/documents";
import { api, json } from "../../lib/api";
import { userQuery } from "../auth/auth.queries";
import { templateQuery } from "../templates/templates.queries";
import type { OnboardingValues } from "./onboarding.schema";

/** The second of the two calls failed, after the profile was saved. */
class StatusError extends Error {}

/** Saves the profile, then completes onboarding, with the answers of whoever was asked. */
export function useCompleteOnboarding(asked: boolean) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ usageType, documentType, ...profile }: OnboardingValues) => {
      const named = await json(api.user.profile.$patch({ json: profile }));
      client.setQueryData(userQuery.queryKey, named);
      // Colleagues are listed by their names.
      void client.invalidateQueries({ queryKey: ["members"] });
      const answers = asked ? { usageType, documentType } : {};
      const done = api.user["complete-onboarding"].$post({ json: answers });
      return json(done).catch((cause: unknown) => {
        throw new StatusError("", { cause });
      });
    },
    onSuccess: (user) => client.setQueryData(userQuery.queryKey, user),
    meta: {
      failure: {
        title: "onboarding:failed",
        text: (error) =>
          error instanceof StatusError ? "onboarding:statusFailed" : "onboarding:profileFailed",
      },
    },
  });
}

/** A template for the kind of document that was chosen, with three usual entries; for taxes with a question as well. */
export function useCreateFirstTemplate() {
  const { t } = useTranslation("onboarding");
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (kind: Exclude<OnboardingValues["documentType"], "other">) => {
      const names = (["first", "second", "third"] as const).map((entry) => t(`templates.${kind}.${entry}`));
      const files = names.map((name) => ({ name, required: true }));
      const fields = kind === "tax_documents" ? [...files, ...foreignIncome(t)] : files;
      return json(api.templates.$post({ json: { name: t(`templates.${kind}.name`), fields } }));
    },
    onSuccess: (template) => {
      void client.invalidateQueries({ queryKey: ["templates"] });
      client.setQueryData(templateQuery(template.id).queryKey, template);
    },
    meta: { failure: { title: "templates:save.createFailed" } },
  });
}

/** A question, and a document that is asked for if it is answered by yes. */
function foreignIncome(t: TFunction<"onboarding">): (Partial<DocumentEntry> & { name: string })[] {
  const question = t("templates.tax_documents.question");
  return [
    { name: question, kind: "yesNo", required: true },
    {
      name: t("templates.tax_documents.onlyIfYes"),
      required: true,
      showIf: { name: question, is: ["yes"] },
    },
  ];
}
