import { startApp, startBaseline, withFolder } from "../harness/process";
import { type Finding, median, type Row } from "../harness/row";

const TIMES = 5;

/** The time from process start, built and migrated, to the first 200, and the idle memory. */
export const start: Row = () =>
  withFolder(async (folder) => {
    await (await startApp(folder)).stop();
    const took: number[] = [];
    const bareTook: number[] = [];
    const idle: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const began = performance.now();
      const app = await startApp(folder);
      const response = await fetch(`${app.url}/api/health`);
      if (response.status !== 200) throw new Error(`Not healthy: ${response.status}`);
      took.push(performance.now() - began);
      await Bun.sleep(500);
      idle.push((await app.memory()).now);
      await app.stop();
      const bareBegan = performance.now();
      const bare = await startBaseline("empty", folder);
      await fetch(bare.url);
      bareTook.push(performance.now() - bareBegan);
      await bare.stop();
    }
    const findings: Finding[] = [
      {
        what: "Start to first 200",
        unit: "ms",
        value: median(took),
        baseline: { name: "bare Bun.serve", value: median(bareTook) },
        goal: { of: "value", atMost: 300 },
      },
      { what: "Idle memory", unit: "MB", value: median(idle), goal: { of: "value", atMost: 90 } },
    ];
    return findings;
  });
