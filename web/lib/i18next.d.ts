import "i18next";
import type administration from "../../locales/en/administration.json";
import type auth from "../../locales/en/auth.json";
import type common from "../../locales/en/common.json";
import type confirmation from "../../locales/en/confirmation.json";
import type contacts from "../../locales/en/contacts.json";
import type envelopes from "../../locales/en/envelopes.json";
import type errors from "../../locales/en/errors.json";
import type integrations from "../../locales/en/integrations.json";
import type lists from "../../locales/en/lists.json";
import type onboarding from "../../locales/en/onboarding.json";
import type profile from "../../locales/en/profile.json";
import type review from "../../locales/en/review.json";
import type security from "../../locales/en/security.json";
import type several from "../../locales/en/several.json";
import type shell from "../../locales/en/shell.json";
import type support from "../../locales/en/support.json";
import type templates from "../../locales/en/templates.json";
import type validation from "../../locales/en/validation.json";
import type workspace from "../../locales/en/workspace.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      administration: typeof administration;
      auth: typeof auth;
      common: typeof common;
      confirmation: typeof confirmation;
      contacts: typeof contacts;
      envelopes: typeof envelopes;
      errors: typeof errors;
      integrations: typeof integrations;
      lists: typeof lists;
      onboarding: typeof onboarding;
      profile: typeof profile;
      review: typeof review;
      security: typeof security;
      several: typeof several;
      shell: typeof shell;
      support: typeof support;
      templates: typeof templates;
      validation: typeof validation;
      workspace: typeof workspace;
    };
  }
}
