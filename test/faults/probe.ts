/** Reads a list repeatedly as a signed-in user until its input ends; prints the milliseconds of each read. */
import { argv, exit, stdin, stdout } from "node:process";

const [origin = "", cookie = ""] = argv.slice(2);
const taken: number[] = [];
let stopped = false;
stdin.on("data", () => {});
stdin.on("end", () => {
  stopped = true;
});
while (!stopped) {
  const started = performance.now();
  const response = await fetch(`${origin}/api/requests?limit=1`, { headers: { cookie } });
  await response.text();
  taken.push(response.ok ? performance.now() - started : Number.MAX_SAFE_INTEGER);
  await Bun.sleep(20);
}
stdout.write(JSON.stringify(taken));
exit(0);
