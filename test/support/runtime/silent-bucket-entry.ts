import type { ExecutionContext } from "@cloudflare/workers-types";
import type { Bindings } from "../../../worker/adapters/cloudflare/bindings";
import worker from "../../../worker/cloudflare";
import { watchBucket } from "./workerd-bucket";

/** Runs in workerd: the Worker itself, with a bucket that does not answer. */
export default {
  fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    const watched = watchBucket(env.FILES);
    watched.silent = true;
    return worker.fetch(request, { ...env, FILES: watched.bucket }, context);
  },
};
