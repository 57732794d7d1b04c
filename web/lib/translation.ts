import i18next from "i18next";

/* What `#translation` means but on the sign-in pages: see `visitor-translation.ts`. */

export { useTranslation } from "react-i18next";

type Translation = Pick<typeof i18next, "t" | "exists" | "language" | "loadNamespaces">;

export const i18n: Translation = i18next;
