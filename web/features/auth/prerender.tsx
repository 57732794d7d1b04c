import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { initEnglish } from "./translation";

/* Writes the sign-in page as every visitor first sees it: the build puts it into auth.html. */

// The theme is followed in the browser alone; here nothing ever changes.
Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {} }) });
const { AuthApp } = await import("./auth-app");
initEnglish();
process.stdout.write(
  renderToString(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <AuthApp />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
