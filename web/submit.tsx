import { createRoot, hydrateRoot } from "react-dom/client";
import { showCrash } from "./components/ui/crash-screen";
import { bootstrap } from "./features/submit/bootstrap";
import { SubmitApp } from "./features/submit/submit-app";
import { setShownLanguage } from "./features/submit/translation/shown-language";
import { watchTheme } from "./lib/theme";

/** Hydrates the prerendered page, with what the head script has requested. */
async function hydrate(root: HTMLElement): Promise<void> {
  watchTheme();
  const bootstrapped = window.submitBootstrap ?? bootstrap();
  const texts = await bootstrapped.texts;
  const { token, language, request } = bootstrapped;
  setShownLanguage(language);
  // Read once the page is hydrated: until then the press is recorded by the head script.
  const wasSubmitted = () => bootstrapped.submitted;
  const app = (
    <SubmitApp
      token={token}
      language={language}
      texts={texts}
      response={request}
      wasSubmitted={wasSubmitted}
    />
  );
  const options = { onUncaughtError: showCrash(root, () => ({ ...texts.crash, reload: texts.reload })) };
  if (root.firstElementChild) hydrateRoot(root, app, options);
  else createRoot(root, options).render(app);
}

const root = document.getElementById("root");
if (root) void hydrate(root);
