import type { User } from "../db/queries/users";
import type { Dependencies } from "./dependencies";

/** What the entries hand over with each request, and what the middleware adds on the way. */
export type AppEnv = {
  Bindings: {
    /** The peer's address as the runtime knows it, never as a header claims it. */
    clientAddress: string;
    /** Lifts the runtime's idle limit for an upload, which has limits of its own. */
    allowSlowBody?: () => void;
  };
  Variables: { deps: Dependencies; requestId: string };
};

/** Behind `requireUser`: a session or an API token. */
export type UserEnv = AppEnv & { Variables: AppEnv["Variables"] & { user: User } };

/** Behind `requireSignIn`: a session. */
export type SignedInEnv = AppEnv & {
  Variables: AppEnv["Variables"] & { user: User; sid: string };
};
