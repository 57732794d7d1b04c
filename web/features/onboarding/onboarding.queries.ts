import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
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

/** A template for the kind of document that was chosen, with three usual entries. */
export function useCreateFirstTemplate() {
  const { t } = useTranslation("onboarding");
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (kind: Exclude<OnboardingValues["documentType"], "other">) => {
      const names = (["first", "second", "third"] as const).map((entry) => t(`templates.${kind}.${entry}`));
      const fields = names.map((name) => ({ name, required: true }));
      return json(api.templates.$post({ json: { name: t(`templates.${kind}.name`), fields } }));
    },
    onSuccess: (template) => {
      void client.invalidateQueries({ queryKey: ["templates"] });
      client.setQueryData(templateQuery(template.id).queryKey, template);
    },
    meta: { failure: { title: "templates:save.createFailed" } },
  });
}
