import { afterEach, expect, test } from "bun:test";
import { createServer } from "node:net";
import { createSmtpMailer } from "../../worker/adapters/bun/messages/smtp-mailer";
import { startSmtpServer, type TestSmtpServer } from "../support/servers/smtp-server";
import { failureOf, mailerSuite, SAMPLE_MAIL } from "./mailer-suite";

mailerSuite("SMTP", async () => {
  const smtp = await startSmtpServer();
  return { mailer: createSmtpMailer({ url: smtp.url }), received: smtp.received, close: smtp.close };
});

let smtp: TestSmtpServer | undefined;
afterEach(async () => {
  await smtp?.close();
  smtp = undefined;
});

const answering = (code: number) => Object.assign(new Error(`said ${code}`), { responseCode: code });

test("a recipient rejected with 550 fails permanently, one rejected with 450 is retried", async () => {
  for (const [code, permanent] of [
    [550, true],
    [450, false],
  ] as const) {
    const server = await startSmtpServer({ onRcptTo: (_address, _session, done) => done(answering(code)) });
    const failure = await failureOf(createSmtpMailer({ url: server.url }).send(SAMPLE_MAIL));
    expect(failure.options.permanent).toBe(permanent);
    await server.close();
  }
});

test("a message rejected after its data is treated the same way", async () => {
  for (const [code, permanent] of [
    [554, true],
    [452, false],
  ] as const) {
    const server = await startSmtpServer({
      onData(stream, _session, done) {
        stream.resume().on("end", () => done(answering(code)));
      },
    });
    const failure = await failureOf(createSmtpMailer({ url: server.url }).send(SAMPLE_MAIL));
    expect(failure.options.permanent).toBe(permanent);
    await server.close();
  }
});

test("the user and password of the URL are used; rejected ones are an outage", async () => {
  smtp = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === "grace" && password === "p@ss/word") return done(null, { user: "grace" });
      done(answering(535));
    },
  });
  const withUser = (user: string) => smtp?.url.replace("//", `//${user}@`) ?? "";
  await createSmtpMailer({ url: withUser("grace:p%40ss%2Fword") }).send(SAMPLE_MAIL);
  expect(await smtp.received()).toHaveLength(1);
  const failure = await failureOf(createSmtpMailer({ url: withUser("grace:wrong") }).send(SAMPLE_MAIL));
  expect(failure.options.permanent).toBe(false);
});

test("an unreachable server is retried", async () => {
  const gone = await startSmtpServer();
  await gone.close();
  const failure = await failureOf(createSmtpMailer({ url: gone.url }).send(SAMPLE_MAIL));
  expect(failure.options.permanent).toBe(false);
});

test("a silent server times out", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, deliveryMs: 50 });
  const failure = await failureOf(mailer.send(SAMPLE_MAIL));
  expect(failure.options.permanent).toBe(false);
  silent.close();
});

test("a mail that is given up does not arrive afterwards", async () => {
  const answered = Promise.withResolvers<void>();
  const server = await startSmtpServer({
    onRcptTo: (_address, _session, done) => void answered.promise.then(() => done()),
  });
  const ended = new Promise((resolve) => server.onConnection((socket) => socket.once("close", resolve)));
  const failure = await failureOf(createSmtpMailer({ url: server.url, deliveryMs: 500 }).send(SAMPLE_MAIL));
  expect(failure.options.outage).toBe(true);
  answered.resolve();
  await ended;
  expect(await server.received()).toEqual([]);
  await server.close();
});

test("a connection that breaks after the data was sent is retried", async () => {
  let connection: { destroy(): void } | undefined;
  const server = await startSmtpServer({
    onData(stream) {
      stream.resume().on("end", () => connection?.destroy());
    },
  });
  server.onConnection((socket) => {
    connection = socket;
  });
  const failure = await failureOf(createSmtpMailer({ url: server.url }).send(SAMPLE_MAIL));
  expect(failure.options.permanent).toBe(false);
  await server.close();
});

test("mails that follow each other share a connection, those sent at once have their own", async () => {
  smtp = await startSmtpServer();
  let opened = 0;
  smtp.onConnection(() => {
    opened += 1;
  });
  const mailer = createSmtpMailer({ url: smtp.url });
  for (let mail = 0; mail < 3; mail += 1) await mailer.send(SAMPLE_MAIL);
  expect(opened).toBe(1);
  await Promise.all([1, 2, 3].map(() => mailer.send(SAMPLE_MAIL)));
  expect(opened).toBe(3);
  expect(await smtp.received()).toHaveLength(6);
});

test("a connection that the server has closed meanwhile costs no mail, and a rejected mail is no other one's", async () => {
  const sockets: { destroy(): void }[] = [];
  let rejects = false;
  const server = await startSmtpServer({
    onRcptTo: (_address, _session, done) => done(rejects ? answering(550) : null),
  });
  server.onConnection((socket) => sockets.push(socket));
  const mailer = createSmtpMailer({ url: server.url });
  await mailer.send(SAMPLE_MAIL);
  sockets[0]?.destroy();
  await mailer.send(SAMPLE_MAIL);
  expect(sockets).toHaveLength(2);
  rejects = true;
  expect((await failureOf(mailer.send(SAMPLE_MAIL))).options).toMatchObject({
    permanent: true,
    unclear: false,
  });
  rejects = false;
  await mailer.send(SAMPLE_MAIL);
  expect(await server.received()).toHaveLength(3);
  await server.close();
});

test("a server that takes two mails of a connection gets the others over new ones", async () => {
  const counts = new Map<string, number>();
  smtp = await startSmtpServer({
    onMailFrom(_address, { id }, done) {
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      done(count > 2 ? answering(421) : null);
    },
  });
  const mailer = createSmtpMailer({ url: smtp.url });
  for (let mail = 0; mail < 5; mail += 1) await mailer.send(SAMPLE_MAIL);
  expect(await smtp.received()).toHaveLength(5);
  expect(counts.size).toBe(3);
});
