import { createRandom, type Random } from "../support/random";
import { type Actor, createActor } from "./actors";
import { startMailSink } from "./mail-sink";
import { type Acknowledged, noAcknowledgements } from "./store-check";

export const CLIENTS = 4;
/** The number of actions that each client completes before it is warm. */
const WARM_UP = 6;
/** Between a client's actions: without it, the clients take the processor that the backup needs, and add to its work. */
const PAUSE_MS = 200;

/** Clients that sign up, request documents, send them, delete some and change their picture, until they are stopped. */
export async function startLoad(url: string) {
  const acknowledged = noAcknowledgements();
  const sink = await startMailSink();
  let stopped = false;
  const work = async (actor: Actor, random: Random, warm: () => void) => {
    await actor.signUp();
    for (let round = 0; !stopped; round += 1) {
      if (round === WARM_UP) warm();
      await Bun.sleep(PAUSE_MS);
      const envelope = await actor.create();
      // A libSQL server may be too busy for a moment, which is answered with 503.
      if (!envelope) continue;
      await actor.submit(envelope, 10_000 + random.below(1_000_000));
      if (random.chance(0.4)) await actor.remove(envelope.id);
      if (random.chance(0.2)) await actor.changeAvatar(round);
    }
  };
  const actors = Array.from({ length: CLIENTS }, (_, index) => {
    const actor = createActor(url, `person${index}@example.com`, { acknowledged, sink });
    const warm = Promise.withResolvers<void>();
    const done = work(actor, createRandom(index + 1), warm.resolve);
    return { warm: Promise.race([warm.promise, done]), done };
  });
  return {
    warm: Promise.all(actors.map(({ warm }) => warm)),
    acknowledged: (): Acknowledged => structuredClone(acknowledged),
    async stop() {
      stopped = true;
      await Promise.all(actors.map(({ done }) => done));
      await sink.close();
    },
  };
}

/** Removes what was deleted or replaced meanwhile, which a backup made in between may or may not contain. */
export function removeChanged(before: Acknowledged, after: Acknowledged): void {
  for (const id of after.deleted) {
    before.envelopes.delete(id);
    before.files.delete(id);
  }
  for (const [email, hash] of after.avatars)
    if (before.avatars.get(email) !== hash) before.avatars.delete(email);
}
