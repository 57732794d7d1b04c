/**
 * `journey.ts <domain> <certificate> [<setup token>]`: requests documents and submits them over https, for systemd.test.ts, which runs
 * it in the network of its machine. Prints the responses as JSON.
 */
import { file } from "bun";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, sha256 } from "../support/files/files";

const [domain = "", certificate = "", setupToken] = process.argv.slice(2);
const ACCOUNT = { email: "ada@example.com", password: "long enough" };
const ca = await file(certificate).text();

/** The domain has no DNS record. */
function send(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, body } = request;
  const headers = new Headers(request.headers);
  headers.set("Host", domain);
  const options = { method, headers, body, redirect: "manual", tls: { ca } } as const;
  return fetch(`https://localhost${pathname}${search}`, options);
}

const origin = `https://${domain}`;
const owner = createClient({ fetch: send, origin });
const registered = await owner.post("/api/register", { ...ACCOUNT, setupToken });
const rejected = await createClient({ fetch: send, origin }).post("/api/register", {
  ...ACCOUNT,
  email: "eve@example.com",
});
const login = await owner.post("/api/login", ACCOUNT);
const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
const paper = largePdfFile(3_000_000);
const submitted = await createClient({ fetch: send, origin }).send(
  "POST",
  linkOf(envelope),
  form({ Contract: paper }),
);
const { submissions } = (await owner.get(`/api/requests/${envelope.id}`)).body;
const responses = {
  registered: registered.status,
  rejected: rejected.status,
  login: login.status,
  submitted: submitted.status,
  intact: (await sha256(await owner.bytes(submissions[0].url))) === (await sha256(paper)),
  envelopes: (await owner.get("/api/requests")).body.length,
};
process.stdout.write(JSON.stringify(responses));
process.exit(0);
