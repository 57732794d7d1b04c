import { i18n } from "#translation";
import { showCrash } from "../components/ui/crash-screen";

/** For `onUncaughtError` of the app's root and that of the sign-in pages: see `showCrash`. */
export const showAppCrash = (root: Element) =>
  showCrash(root, () => ({
    title: i18n.t("common:crash.title"),
    text: i18n.t("common:crash.text"),
    reload: i18n.t("common:crash.reload"),
  }));
