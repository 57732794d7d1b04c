import { afterEach, beforeEach, expect, test } from "bun:test";
import { sendWebhooks } from "../../worker/features/webhooks/webhooks.sender";
import { type Outbox, startOutbox } from "../support/api/outbox";

const NOW = "2026-03-14T09:26:53.000Z";
const EVENTS = 1050;

let outbox: Outbox;
beforeEach(async () => {
  outbox = await startOutbox();
});
afterEach(() => outbox.stop());

test("many events at once get their deliveries in batches of bounded size, each once and in order", async () => {
  const process = await outbox.process();
  await outbox.run(
    `insert into workspaces (user_id, name, created_at, updated_at) values (1, 'A', '${NOW}', '${NOW}')`,
  );
  await outbox.run(`insert into workspace_members values (1, 1, 'owner', '${NOW}')`);
  await outbox.run(
    `insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, status, created_at, updated_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
     select 1, 1, 'A', 'A', 'a@example.com', 'token' || i, 'expired', '${NOW}', '${NOW}' from n`,
  );
  await outbox.run("insert into webhook_cursors (id, event_id) values (1, 0)");
  // Paused, so that nothing is sent.
  await outbox.run(
    `insert into webhooks (user_id, url, events, secret, paused_until, since_event_id, created_at, updated_at)
     values (1, 'http://127.0.0.1:9/', '["request.expired"]', 'whsec_', '2999-01-01', 0, '${NOW}', '${NOW}'),
            (1, 'http://127.0.0.1:9/', '["request.expired"]', 'whsec_', '2999-01-01', 0, '${NOW}', '${NOW}')`,
  );
  await outbox.run(
    `insert into envelope_events (envelope_id, user_id, kind, actor, at) select id, null, 'expired', 'service', '${NOW}' from envelopes`,
  );
  const created: number[] = [];
  const counting = new Proxy(process.db, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver);
      if (name !== "batch") return value;
      return async (statements: unknown) => {
        const results = await value.call(target, statements);
        const [{ n }] = (await outbox.run("select count(*) as n from webhook_deliveries")) as [{ n: number }];
        created.push(n);
        return results;
      };
    },
  });
  await sendWebhooks({ ...process, db: counting });
  const sizes = created.map((count, index) => count - (created[index - 1] ?? 0));
  expect(Math.max(...sizes)).toBe(100);
  const deliveries = await outbox.run(
    "select envelope_id from webhook_deliveries where webhook_id = 1 order by id",
  );
  const requests = await outbox.run("select id as envelope_id from envelopes order by id");
  expect(deliveries).toEqual(requests);
  expect(created.at(-1)).toBe(2 * EVENTS);
  await sendWebhooks(process);
  expect(await outbox.run("select count(*) as n from webhook_deliveries")).toEqual([{ n: 2 * EVENTS }]);
});
