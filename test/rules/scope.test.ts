import { expect, test } from "bun:test";
import { readSources } from "./sources";

/** Queries that name a row without its owner, and why nobody reaches another's rows by them. */
const WITHOUT_OWNER: Record<string, string> = {
  "db/queries/envelopes.ts: deleteEnvelopeDocuments":
    "after the envelope was found by its owner, and only documents of that one",
  "db/queries/envelopes.ts: insertEnvelopeDocuments":
    "for an envelope that the same batch makes, or checks to be as its owner read it",
  "db/queries/envelopes.ts: updateEnvelopeDocument":
    "takes the id of an envelope that was read by its owner, and stands in the batch that checks it",
  "db/queries/notifications.ts: updateClaimedNotification": "for the outbox, which sends for everybody",
  "db/queries/retention.ts: deleteDueFiles": "for the schedule, of envelopes whose workspace has it so",
  "db/queries/schedule.ts: setNextReminder": "for the schedule, which reminds for everybody",
  "db/queries/template-uses.ts: insertTemplateUse":
    "for an envelope that the same batch makes, or checks to be as its owner read it",
};

const EXPORTED = /export (?:async )?function (\w+)\(([^)]*)\)|export const (\w+) = \(([^)]*)\) =>/g;
const ROW = /\b(?:id|ids|envelopeId|workspaceId|contactId|templateId)\b\??:/;

test("4: a query that names a row by its id takes the owner first", async () => {
  const sources = await readSources();
  const unscoped: string[] = [];
  for (const { path, code } of sources.filter(({ path }) => path.startsWith("db/queries/"))) {
    for (const [, name, parameters, constant, constantParameters] of code.matchAll(EXPORTED)) {
      const given = parameters ?? constantParameters ?? "";
      const row = given.search(ROW);
      const owner = given.search(/\buserId: number/);
      if (row >= 0 && (owner < 0 || owner > row)) unscoped.push(`${path}: ${name ?? constant}`);
    }
  }
  expect(unscoped.sort()).toEqual(Object.keys(WITHOUT_OWNER).sort());
});

test("what is noted of an envelope is only ever added", async () => {
  const sources = await readSources();
  const changes = sources
    .filter(({ path }) => /^(?:db|worker)\//.test(path) && !path.startsWith("db/archive/"))
    .filter(({ code }) =>
      /\.(?:update|delete)\(\s*envelopeEvents|(?:update|delete from|replace into)\s+["`]?(?:\$\{)?envelope_?events/i.test(
        code,
      ),
    );
  expect(changes.map(({ path }) => path)).toEqual([]);
});
