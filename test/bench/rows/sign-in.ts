import { createScryptHasher } from "../../../worker/lib/password";
import { PASSWORD, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { generateLoad } from "../harness/load";
import { startApp, withFolder } from "../harness/process";
import { quantile, type Row } from "../harness/row";

const AT_ONCE = 50;

/** A sign-in beside its hash alone, and the effect of 50 concurrent sign-ins on readers. */
export const signIn: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    const hasher = createScryptHasher();
    const hash = await hasher.hash(PASSWORD);
    const body = JSON.stringify({ email: owner.email, password: PASSWORD });
    const headers = { "Content-Type": "application/json" };
    const login = () => fetch(`${app.url}/api/login`, { method: "POST", headers, body });
    const one = await compare(
      9,
      () => timed(() => hasher.verify(PASSWORD, hash)),
      () => timed(login),
    );
    const read = { path: "/api/user", cookie: owner.cookie, connections: 2, milliseconds: 1500 };
    const quiet = await generateLoad(app.url, read);
    const logins = Array.from({ length: AT_ONCE }, login);
    const busy = await generateLoad(app.url, read);
    const answers = await Promise.all(logins);
    await app.stop();
    if (answers.some(({ status }) => status !== 200)) throw new Error("A sign-in failed");
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
    ];
  });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
