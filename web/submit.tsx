import { createRoot, hydrateRoot } from "react-dom/client";
import { start } from "./features/submit/bootstrap";
import { SubmitApp } from "./features/submit/submit-app";
import { watchTheme } from "./lib/theme";

/** Takes over the page that is already there, with what the script in its head has asked for. */
async function wake(root: HTMLElement): Promise<void> {
  watchTheme();
  const started = window.submitStart ?? start();
  const texts = await started.texts;
  const { token, language, request, pressed } = started;
  const app = (
    <SubmitApp token={token} language={language} texts={texts} answer={request} pressed={pressed} />
  );
  if (root.firstElementChild) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

const root = document.getElementById("root");
if (root) void wake(root);
