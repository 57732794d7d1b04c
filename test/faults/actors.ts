import type { Answer } from "../../worker/contract/questions";
import { type ApiResponse, type Client, createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, pngFile, sha256 } from "../support/files/files";
import type { Random } from "../support/random";
import type { MailSink } from "./mail-sink";
import { type Acknowledged, answersState } from "./store-check";

/** A client of a server that may be killed at any moment. Records only what was acknowledged. */
export type Actor = {
  readonly client: Client;
  signUp(): Promise<void>;
  /** @returns the envelope, undefined if it was rejected */
  create(documents?: object[]): Promise<ApiResponse["body"] | undefined>;
  submit(envelope: ApiResponse["body"], bytes: number): Promise<void>;
  remove(id: number): Promise<void>;
  changeAvatar(seed: number): Promise<void>;
  /** Joins the workspace to which the last mail invites. */
  join(): Promise<boolean>;
  deleteAccount(): Promise<void>;
  /** Requests a reset link, which `reset` uses. */
  forget(): Promise<void>;
  reset(): Promise<void>;
};

const PASSWORD = "long enough";

export function createActor(
  url: string,
  email: string,
  { acknowledged, sink }: { acknowledged: Acknowledged; sink: MailSink },
): Actor {
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  const used = new Set<string>();
  /** Checks now and then whether the server is still running. */
  const tokenFromMail = async (kind: "reset" | "invite") => {
    for (;;) {
      const token = await sink.tokenOf(kind, email, used);
      if (token) return token;
      await client.get("/api/health");
      await Bun.sleep(10);
    }
  };
  return {
    client,
    async signUp() {
      const { status } = await client.post("/api/register", { email, password: PASSWORD });
      if (status === 201) acknowledged.passwords.set(email, PASSWORD);
    },
    async create(documents = ENVELOPE.documents) {
      const key = crypto.randomUUID();
      const body = { ...ENVELOPE, documents, recipientEmail: `to-${email}`, subject: key };
      acknowledged.unanswered.set(key, { cookie: client.cookie, body });
      const made = await client.send("POST", "/api/requests", body, { "idempotency-key": key });
      acknowledged.unanswered.delete(key);
      if (made.status !== 201) return undefined;
      acknowledged.envelopes.add(made.body.id);
      return made.body;
    },
    async submit(envelope, bytes) {
      const file = largePdfFile(bytes);
      const sent = await client.send("POST", linkOf(envelope), form({ Contract: file }));
      if (sent.status === 201) acknowledged.files.set(envelope.id, await sha256(file));
    },
    async remove(id) {
      // Neither known to exist nor known to be deleted.
      acknowledged.envelopes.delete(id);
      acknowledged.files.delete(id);
      if ((await client.delete(`/api/requests/${id}`)).status === 204) acknowledged.deleted.add(id);
    },
    async changeAvatar(seed) {
      acknowledged.avatars.delete(email);
      const file = new File([await pngFile().bytes(), String(seed)], "me.png", { type: "image/png" });
      const response = await client.send("POST", "/api/user/avatar", form({ avatar: file }));
      if (response.status === 200) acknowledged.avatars.set(email, await sha256(file));
    },
    async join() {
      const token = await tokenFromMail("invite");
      used.add(token);
      return (await client.post("/api/invitations/join", { token })).status === 200;
    },
    async deleteAccount() {
      acknowledged.passwords.delete(email);
      if ((await client.delete("/api/user/account")).status === 204) acknowledged.closed.add(email);
    },
    async forget() {
      await client.post("/api/password/forgot", { email });
    },
    async reset() {
      const token = await tokenFromMail("reset");
      used.add(token);
      const newPassword = `changed ${used.size} times`;
      acknowledged.passwords.delete(email);
      const response = await client.post("/api/password/reset", { token, newPassword });
      if (response.status !== 204) return;
      acknowledged.passwords.set(email, newPassword);
      await client.post("/api/login", { email, password: newPassword });
    },
  };
}

/** Signs up and performs random actions until the server stops. */
export async function workUntilServerStops(actor: Actor, random: Random): Promise<void> {
  try {
    await actor.signUp();
    for (let round = 0; ; round++) {
      const envelope = await actor.create();
      if (!envelope) continue;
      if (random.chance(0.7)) await actor.submit(envelope, 10_000 + random.below(500_000));
      if (random.chance(0.3)) await actor.remove(envelope.id);
      if (random.chance(0.2)) await actor.changeAvatar(round);
      if (random.chance(0.05)) {
        await actor.forget();
        await actor.reset();
      }
    }
  } catch {
    // Killed: an unanswered request may or may not have had an effect.
  }
}

const QUESTIONS = [
  { name: "Abroad", kind: "yesNo", required: true },
  { name: "Contract", required: true, showIf: { name: "Abroad", is: ["yes"] } },
  { name: "Amount", kind: "number", decimals: 0 },
  { name: "Account", kind: "text", confidential: true },
  { name: "Pays for", kind: "choices", options: ["Rent", "Car", "School"] },
];

/** Keeps answers to the questions of envelopes, again and again, and submits most of them, until the server stops. */
export async function answerUntilServerStops(
  actor: Actor,
  { acknowledged, random }: { acknowledged: Acknowledged; random: Random },
): Promise<void> {
  try {
    await actor.signUp();
    for (;;) {
      const envelope = await actor.create(QUESTIONS);
      if (envelope) await answer(envelope, actor, { acknowledged, random });
    }
  } catch {
    // Killed: an unanswered request may or may not have had an effect.
  }
}

async function answer(
  envelope: ApiResponse["body"],
  { client }: Actor,
  { acknowledged, random }: { acknowledged: Acknowledged; random: Random },
): Promise<void> {
  const [abroad, , amount, account, paysFor] = envelope.documents.map(({ id }: { id: number }) => id);
  const link = linkOf(envelope);
  const some = (): Record<string, Answer | null> => ({
    [amount]: String(random.below(1_000_000)),
    ...(random.chance(0.7) && { [abroad]: random.pick(["yes", "no"]) }),
    ...(random.chance(0.7) && { [account]: random.pick([crypto.randomUUID(), null]) }),
    ...(random.chance(0.5) && { [paysFor]: random.pick([["Rent", "School"], ["Car"], null]) }),
  });
  let kept: Record<string, Answer | null> = {};
  let calls = 0;
  /** Until the call is acknowledged, its effect is there as a whole or not at all. */
  const attempt = async (next: typeof kept, status: string, call: () => Promise<ApiResponse>) => {
    const [before, after] = [answersState("pending", kept), answersState(status, next)];
    acknowledged.answers.set(envelope.id, { calls, possible: [before, after] });
    const response = await call();
    if (response.status >= 300) throw new Error(`Rejected: ${response.text}`);
    kept = next;
    calls += 1;
    acknowledged.answers.set(envelope.id, { calls, possible: [after] });
  };
  for (let turns = 1 + random.below(4); turns > 0; turns -= 1) {
    const answers = some();
    await attempt({ ...kept, ...answers }, "pending", () => client.put(`${link}/answers`, { answers }));
  }
  if (random.chance(0.2)) return;
  if (random.chance(0.5)) {
    const answers = { ...some(), [abroad]: "no" };
    const submit = () => client.post(`${link}/submit`, { answers });
    return attempt({ ...kept, ...answers }, "completed", submit);
  }
  const file = largePdfFile(10_000 + random.below(200_000));
  const data = form({ Contract: file });
  data.append("Abroad", "yes");
  await attempt({ ...kept, [abroad]: "yes" }, "completed", () => client.send("POST", link, data));
  acknowledged.files.set(envelope.id, await sha256(file));
}

/**
 * An owner who invites a colleague, who joins, gets envelopes, and is removed, leaves or deletes the account, again and
 * again until the server stops.
 */
export async function shareUntilServerStops(
  url: string,
  name: string,
  { known, random }: { known: Parameters<typeof createActor>[2]; random: Random },
): Promise<void> {
  const { members, envelopes } = known.acknowledged;
  const owner = createActor(url, `${name}owner@example.com`, known);
  const idOf = async ({ client }: Actor) => (await client.get("/api/user")).body.id;
  try {
    await owner.signUp();
    const [{ id: workspaceId }] = (await owner.client.get("/api/workspaces")).body;
    const path = `/api/workspaces/${workspaceId}`;
    for (let round = 0; ; round++) {
      const email = `${name}colleague${round}@example.com`;
      const key = `${workspaceId} ${email}`;
      const colleague = createActor(url, email, known);
      await colleague.signUp();
      await owner.client.post(`${path}/invitations`, { email, role: "member" });
      if (await colleague.join()) members.set(key, "member");
      for (let count = 0; count < 3; count++) {
        const made = await colleague.client.post("/api/requests", { ...ENVELOPE, workspaceId });
        if (made.status === 201) envelopes.add(made.body.id);
      }
      members.delete(key);
      if (random.chance(0.3)) {
        await colleague.deleteAccount();
        continue;
      }
      const by = random.chance(0.5) ? owner : colleague;
      const assignTo = random.chance(0.5) ? `?assignTo=${await idOf(owner)}` : "";
      const ended = await by.client.delete(`${path}/members/${await idOf(colleague)}${assignTo}`);
      if (ended.status === 204) members.set(key, "gone");
    }
  } catch {
    // Killed: an unanswered request may or may not have had an effect.
  }
}
