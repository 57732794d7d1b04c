import { expect, test } from "bun:test";
import { createClient } from "../support/api/client";
import { useMarkedEnvelope } from "../support/api/marked-envelope";
import { filesWith } from "../support/files/files-with";
import { spawnServer } from "../support/processes/bun-process";
import { startGateway } from "../support/servers/http-gateway";
import { startSmtpServer } from "../support/servers/smtp-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const MARK = "quetzal";

test("nothing of a deleted envelope is in any byte of the data folder", async () => {
  const folder = makeFolder();
  const [smtp, receiver, gateway] = [await startSmtpServer(), startGateway(), startGateway()];
  // Repeats the message.
  receiver.respond = () => new Response(receiver.requests.at(-1)?.body);
  const server = spawnServer({
    DATA_DIR: folder,
    SMTP_URL: smtp.url,
    TWILIO_ACCOUNT_SID: "AC1",
    TWILIO_AUTH_TOKEN: "secret",
    TWILIO_FROM: "+15550000000",
    TWILIO_API_URL: gateway.url,
    WEBHOOK_ALLOW_PRIVATE: "on",
    UNVERIFIED_ENVELOPES: "100",
  });
  const origin = await server.url;
  const anonymous = () => createClient({ fetch, origin });
  const owner = anonymous();
  await owner.post("/api/register", { email: "owner@example.com", password: "long enough" });
  const events = ["request.sent", "request.submitted", "request.returned", "request.deleted"];
  await owner.post("/api/webhooks", { url: receiver.url, events });
  const { id, submissionToken } = await useMarkedEnvelope({ anonymous }, owner, MARK);
  expect((await filesWith(folder, [MARK, submissionToken])).length).toBeGreaterThan(0);
  expect((await owner.delete(`/api/requests/${id}`)).status).toBe(204);
  await waitFor("the last message", () =>
    receiver.requests.some(({ body }) => JSON.parse(body).type === "request.deleted"),
  );
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  await Promise.all([smtp.close(), receiver.stop(), gateway.stop()]);
  expect(await filesWith(folder, [MARK, submissionToken])).toEqual([]);
}, 300_000);
