import { countSeeded } from "../../../db/queries/seed";
import { findUserByEmail } from "../../../db/queries/users";
import { listWorkspaces } from "../../../db/queries/workspaces";
import { readEnvironment } from "../../adapters/bun/environment";
import { openResources } from "../../adapters/bun/resources";
import { createJsonLogger } from "../../adapters/shared/loggers";
import { requireOwnStore } from "../../features/files/store-owner";
import { createScryptHasher } from "../../lib/password";
import { systemClock } from "../../ports/clock";
import { readArguments, requireWholeNumber } from "../administration/arguments";
import { exitWith } from "../messages";
import { seedDemo } from "./demo";
import { DEMO_USER } from "./demo-data";
import { seedLoad, storeLoadFiles } from "./load";

async function main(): Promise<void> {
  const count = readCount();
  const clock = systemClock;
  const log = createJsonLogger(clock, (line) => process.stderr.write(`${line}\n`));
  const resources = await openResources(readEnvironment(process.env), { clock, log, rulesInMemory: [] });
  const { db } = resources;
  await requireOwnStore(resources);

  const started = await countSeeded(db);
  const before = await findUserByEmail(db, DEMO_USER.email);
  const owner = before
    ? {
        userId: before.id,
        workspaceId: (await listWorkspaces(db, { userId: before.id, role: "owner" }))[0]?.id ?? 0,
      }
    : await seedDemo({ ...resources, clock, log, passwordHasher: createScryptHasher() });
  const { lastFile } = await countSeeded(db);
  await seedLoad(db, owner, count, clock.now());
  await storeLoadFiles(resources, lastFile);
  const ended = await countSeeded(db);
  resources.close();

  const account = before ? "already exists" : "was created";
  const envelopes = ended.envelopes - started.envelopes;
  const files = ended.files - started.files;
  process.stdout.write(
    `The demo account ${DEMO_USER.email} / ${DEMO_USER.password} ${account}; envelopes added: ${envelopes}, files: ${files}\n`,
  );
}

function readCount(): number {
  const { values } = readArguments(process.argv.slice(2), {
    usage: "bun run seed [--envelopes <number>]",
    options: { envelopes: { type: "string", default: "0" } },
    names: [],
  });
  return requireWholeNumber(values.envelopes, "--envelopes", { min: 0, max: Number.MAX_SAFE_INTEGER });
}

try {
  await main();
} catch (error) {
  await exitWith(error);
}
