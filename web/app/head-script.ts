import { firstPageQuery } from "../features/envelopes/first-page";
import { chooseWorkspace, readStoredWorkspace } from "../features/workspaces/choose-workspace";
import { readEarly } from "../lib/early-reads";
import { applyInitialTheme } from "../lib/initial-theme";
import { detectLanguage } from "../lib/language";
import { COMMON_TEXTS, PAGE_TEXTS, type PageName, pageAt } from "./pages";

/* The build puts this into the head of index.html. */
applyInitialTheme();
window.sessionCheck = fetch("/api/session")
  .then((response) => (response.ok ? response.json() : null))
  .catch(() => null);
preloadPage(window.sessionCheck);

type Session = Promise<{ signedIn: boolean; needsSecondFactor?: true } | null>;

/** Requests what the page in the address will need, while its script is loading. */
function preloadPage(session: Session): void {
  const page = pageAt(location.pathname);
  if (!page) return;
  // After the style sheet and the script of the page, which would wait for these on a slow connection.
  setTimeout(() => {
    for (const chunk of chunksOf(page)) preloadChunk(chunk);
    const language = detectLanguage();
    for (const name of [...COMMON_TEXTS, ...PAGE_TEXTS[page]])
      void readEarly(`/locales/${language}/${name}.json`);
  });
  window.allReadsStarted = preloadData(page, session).catch(() => undefined);
}

/** The build lists the chunks of each page: "home a b;contacts c". */
function chunksOf(page: PageName): string[] {
  const lists = (document.documentElement.dataset.chunks ?? "").split(";").map((list) => list.split(" "));
  return lists.find(([name]) => name === page)?.slice(1) ?? [];
}

function preloadChunk(name: string): void {
  const href = `/assets/${name}.js`;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

/** The reads of `preloadData` in main.tsx, which takes the responses. */
async function preloadData(page: PageName, session: Session): Promise<void> {
  // Without a session they would fail with 401, without a required second factor with 403.
  const state = await session;
  if (!state?.signedIn || state.needsSecondFactor) return;
  const [user, workspaces] = await Promise.all([readJson("/api/user"), readJson("/api/workspaces")]);
  const workspace = chooseWorkspace(workspaces, [readStoredWorkspace(), user?.lastWorkspaceId]);
  if (!workspace || page !== "home") return;
  void readEarly(`/api/requests?${new URLSearchParams(firstPageQuery(workspace.id))}`);
  void readEarly(`/api/requests/bulk?workspaceId=${workspace.id}`);
}

async function readJson(path: string) {
  const response = await readEarly(path);
  return response.ok ? response.clone().json() : undefined;
}
