import "i18next";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      administration: typeof import("../../locales/en/administration.json");
      auth: typeof import("../../locales/en/auth.json");
      board: typeof import("../../locales/en/board.json");
      common: typeof import("../../locales/en/common.json");
      confirmation: typeof import("../../locales/en/confirmation.json");
      contacts: typeof import("../../locales/en/contacts.json");
      destinations: typeof import("../../locales/en/destinations.json");
      envelopes: typeof import("../../locales/en/envelopes.json");
      errors: typeof import("../../locales/en/errors.json");
      integrations: typeof import("../../locales/en/integrations.json");
      lists: typeof import("../../locales/en/lists.json");
      onboarding: typeof import("../../locales/en/onboarding.json");
      profile: typeof import("../../locales/en/profile.json");
      review: typeof import("../../locales/en/review.json");
      schedules: typeof import("../../locales/en/schedules.json");
      search: typeof import("../../locales/en/search.json");
      security: typeof import("../../locales/en/security.json");
      questions: typeof import("../../locales/en/questions.json");
      several: typeof import("../../locales/en/several.json");
      shell: typeof import("../../locales/en/shell.json");
      support: typeof import("../../locales/en/support.json");
      templates: typeof import("../../locales/en/templates.json");
      validation: typeof import("../../locales/en/validation.json");
      workspace: typeof import("../../locales/en/workspace.json");
    };
  }
}
