import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import manifest from "../../package.json";
import { readStages } from "../support/dockerfile";
import { ROOT } from "./sources";

const [build, image, ...more] = readStages();
const all = (stage: typeof image, name: string) =>
  (stage?.instructions ?? []).filter((one) => one.name === name).map(({ value }) => value);

test("the container is built with the Bun that the tests run on, from images of a named version", async () => {
  const ci = await file(join(ROOT, ".ci/run")).text();
  expect(more).toEqual([]);
  expect(build?.base).toBe(`oven/bun:${manifest.devDependencies["bun-types"]}`);
  expect(ci).toContain(`bun@${manifest.devDependencies["bun-types"]} `);
  expect(image?.base).toMatch(/^debian:[a-z]+-slim$/);
});

test("it holds the executable alone, and runs it as an ordinary user", () => {
  expect(all(image, "COPY")).toEqual(["--from=build /build/doculopes /usr/local/bin/doculopes"]);
  expect(all(image, "ADD")).toEqual([]);
  const [user = ""] = all(image, "USER");
  expect(Number(user.split(":")[0])).toBeGreaterThan(0);
  expect(all(image, "RUN").join()).toContain(`-o ${user.split(":")[0]} `);
  expect(all(image, "ENTRYPOINT")).toEqual(['["doculopes"]']);
  expect(all(image, "HEALTHCHECK").join()).toEndWith('CMD ["doculopes", "ready"]');
});

test("what is kept is in the volume, and it listens where others reach it", () => {
  expect(all(image, "ENV").join(" ").split(" ")).toEqual(["HOST=0.0.0.0", "PORT=3000", "DATA_DIR=/data"]);
  expect(all(image, "VOLUME")).toEqual(["/data"]);
  expect(all(image, "EXPOSE")).toEqual(["3000"]);
});

test("nothing but sources goes into the build: no data, no secrets, no history", async () => {
  const rules = (await file(join(ROOT, ".dockerignore")).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const copied = all(build, "COPY").flatMap((value) => value.split(" ").slice(0, -1));
  expect(rules).toEqual(["*", ...copied.map((path) => `!${path}`), "web/dist"]);
});
