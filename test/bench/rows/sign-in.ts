import { createScryptHasher } from "../../../worker/lib/password";
import { PASSWORD, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { generateLoad } from "../harness/load";
import { startApp, withFolder } from "../harness/process";
import { quantile, type Row } from "../harness/row";

const AT_ONCE = 50;
const OF_ONE_ACCOUNT = 90;

/** A sign-in beside its hash alone, and the effect of concurrent sign-ins on readers and on another account's. */
export const signIn: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    const other = await signUp(app.url, "other@example.com");
    const hasher = createScryptHasher();
    const hash = await hasher.hash(PASSWORD);
    const headers = { "Content-Type": "application/json" };
    const login = ({ email } = owner) =>
      fetch(`${app.url}/api/login`, {
        method: "POST",
        headers,
        body: JSON.stringify({ email, password: PASSWORD }),
      });
    const one = await compare(
      5,
      () => timed(() => hasher.verify(PASSWORD, hash)),
      () => timed(() => login()),
    );
    const read = { path: "/api/user", cookie: owner.cookie, connections: 2, milliseconds: 1500 };
    const quiet = await generateLoad(app.url, read);
    const logins = Array.from({ length: AT_ONCE }, () => login());
    const busy = await generateLoad(app.url, read);
    const responses = await Promise.all(logins);
    const many = Array.from({ length: OF_ONE_ACCOUNT }, () => login());
    await fetch(`${app.url}/api/health`);
    const among = await timed(() => login(other));
    await Promise.all(many);
    await app.stop();
    if (responses.some(({ status }) => status !== 200)) throw new Error("A sign-in failed");
    return [
      {
        what: "Sign-in",
        unit: "ms",
        value: one.value,
        baseline: { name: "its hash alone", value: one.baseline },
        goal: { of: "ratio", atMost: 1.5 },
      },
      {
        what: `Reads, p99, during ${AT_ONCE} sign-ins at once`,
        unit: "ms",
        value: quantile(busy.latencies, 0.99),
        baseline: { name: "nobody signing in", value: quantile(quiet.latencies, 0.99) },
        goal: { of: "value", atMost: 100 },
      },
      {
        what: `Sign-in, during ${OF_ONE_ACCOUNT} of another account`,
        unit: "ms",
        value: among,
        baseline: { name: "alone", value: one.value },
        // One hash of somebody else, and its own.
        goal: { of: "ratio", atMost: 2.2 },
      },
    ];
  });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
