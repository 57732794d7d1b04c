import { type Answer, type Client, createClient } from "../support/api";
import { ENVELOPE, form, linkOf } from "../support/envelopes";
import { largePdfFile, pngFile, sha256 } from "../support/files";
import type { Random } from "../support/random";
import type { MailSink } from "./mail-sink";
import type { Acknowledged } from "./store-check";

/** A client of a server that may be killed at any moment. Records only what was acknowledged. */
export type Actor = {
  readonly client: Client;
  signUp(): Promise<void>;
  /** @returns the envelope, undefined if it was rejected */
  create(): Promise<Answer["body"] | undefined>;
  submit(envelope: Answer["body"], bytes: number): Promise<void>;
  remove(id: number): Promise<void>;
  changeAvatar(seed: number): Promise<void>;
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
  const tokenFromMail = async () => {
    for (;;) {
      const token = await sink.resetToken(email, used);
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
    async create() {
      const key = crypto.randomUUID();
      const body = { ...ENVELOPE, recipientEmail: `to-${email}`, subject: key };
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
      const answer = await client.send("POST", "/api/user/avatar", form({ avatar: file }));
      if (answer.status === 200) acknowledged.avatars.set(email, await sha256(file));
    },
    async forget() {
      await client.post("/api/password/forgot", { email });
    },
    async reset() {
      const token = await tokenFromMail();
      used.add(token);
      const newPassword = `changed ${used.size} times`;
      acknowledged.passwords.delete(email);
      const answer = await client.post("/api/password/reset", { token, newPassword });
      if (answer.status !== 204) return;
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
