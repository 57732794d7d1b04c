/** Only Bun's server. */
import { serve } from "bun";

const server = serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
process.stdout.write(`runs at ${server.url.origin}\n`);
