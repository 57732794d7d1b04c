import type { User } from "../db/queries/users";
import type { SignInMethod, TokenScope } from "./contract/options";
import type { Dependencies } from "./dependencies";

/** What the entries pass with each request, and what the middleware adds. */
export type AppEnv = {
  Bindings: {
    /** The peer's address as the runtime reports it, never from a header. */
    clientAddress: string;
    /** Disables the runtime's idle timeout for an upload, which has its own limits. */
    allowSlowBody?: () => void;
    /** The length of the JSON in the response, for the runtime. */
    responseLength?: number;
    /**
     * Counts a file of so many bytes, of which the client may keep some in memory.
     * @returns what ends it; null if the client has not taken too much already
     */
    countFile?: (length: number) => (() => void) | null;
  };
  Variables: {
    deps: Dependencies;
    requestId: string;
    /** Checks once more who calls, after a body that arrived late, see `checkCaller`. */
    checkAgain?: () => Promise<void>;
  };
};

/** The API token of a call. */
export type UsedToken = { id: number; scope: TokenScope; workspaceId: number | null };

/** The session of a call, and when its user last signed in or confirmed that it is them. */
export type UsedSession = { sid: string; authenticatedAt: string; method: SignInMethod | null };

/** Behind `requireUser`: a session or an API token. */
export type UserEnv = AppEnv & {
  Variables: AppEnv["Variables"] & { user: User; apiToken?: UsedToken; session?: UsedSession };
};

/** Behind `requireSignIn`: a session. */
export type SignedInEnv = AppEnv & {
  Variables: AppEnv["Variables"] & { user: User; sid: string; session: UsedSession };
};
