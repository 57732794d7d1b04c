import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";
import { form, linkOf, sendEnvelope } from "../support/envelopes";
import { pdfFile } from "../support/files";

test("files with committed rows are not removed, even if the database's response was lost", async () => {
  const runtime = await startBunRuntime();
  const { db } = runtime.deps;
  let losing = false;
  const forgetful = new Proxy(db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name);
      return async (...statements: Parameters<typeof db.batch>) => {
        const result = await target.batch(...statements);
        if (losing && statements[0].length > 2) throw new Error("The connection was lost");
        return result;
      };
    },
  });
  const app = createApp({ ...runtime.deps, db: forgetful });
  const fetch = async (request: Request) => app.fetch(request, { clientAddress: "203.0.113.1" });
  const owner = createClient({ fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "owner@example.com", password: "a long password" });
  const envelope = await sendEnvelope(owner);

  losing = true;
  const answer = await createClient({ fetch, origin: runtime.origin }).post(
    linkOf(envelope),
    form({ Contract: pdfFile() }),
  );
  expect(answer.status).toBe(500);
  losing = false;
  const { body } = await owner.get(`/api/requests/${envelope.id}`);
  expect(body.status).toBe("completed");
  expect((await owner.get(body.submissions[0].url)).status).toBe(200);
  await runtime.stop();
});
