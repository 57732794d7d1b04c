import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { AuthApp } from "./auth-app";
import { initEnglish } from "./translation";

initEnglish();

/** The sign-in page in English, as it is before hydration. */
export const firstView = (
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <AuthApp />
    </QueryClientProvider>
  </StrictMode>
);
