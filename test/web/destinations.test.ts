import { expect, test } from "bun:test";
import { statusOf } from "../../web/features/integrations/destinations/destination-status";
import { sharedFolders } from "../../web/features/integrations/destinations/folder-rule-field";

const destination = {
  ...{ kind: "microsoft", name: "SharePoint", account: "ada@example.com", settings: { folderId: "1" } },
  ...{ when: "submitted", folderRule: "{clientFolder}", includeAnswers: true, state: "active" },
  ...{ waiting: 0, retried: 0, failed: 0, lastDeliveredAt: "2026-11-27T10:00:00.000Z" },
} as const;

test("a destination says in words why files wait, what failed, or that everything is delivered", () => {
  const said = (changes: Partial<Record<keyof typeof destination, unknown>>) =>
    statusOf({ ...destination, ...changes } as Parameters<typeof statusOf>[0]).map(
      ({ text, count }) => `${text.slice("status.".length)} ${count}`,
    );
  expect(said({})).toEqual(["delivered 0"]);
  expect(said({ lastDeliveredAt: null })).toEqual(["nothing 0"]);
  expect(said({ waiting: 2, failed: 1 })).toEqual(["waiting 2", "failed 1"]);
  expect(said({ waiting: 2, retried: 1 })).toEqual(["waiting 2", "retried 0"]);
  expect(said({ failed: 1 })).toEqual(["failed 1"]);
  expect(said({ state: "reconnect", waiting: 3 })).toEqual(["signInWaiting 3"]);
  expect(said({ state: "reconnect", kind: "webdav" })).toEqual(["credentials 0"]);
  expect(said({ state: "full", waiting: 3, failed: 1 })).toEqual(["fullWaiting 3", "failed 1"]);
  expect(said({ state: "paused" })).toEqual(["paused 0"]);
  expect(said({ state: "paused", settings: {} })).toEqual(["setUp 0"]);
});

test("clients whose files would share a folder are named, unless they have folders of their own", () => {
  const client = (firstName: string, company: string | null, folder: string | null = null) => ({
    ...{ firstName, lastName: null, company, folder, email: `${firstName.toLowerCase()}@example.com` },
  });
  const clients = [client("Ada", "Example Ltd"), client("Ben", "EXAMPLE Ltd."), client("Cid", "Other")];
  expect(sharedFolders(clients)).toEqual([
    { folder: "Example Ltd", names: ["ada@example.com", "ben@example.com"] },
  ]);
  expect(sharedFolders([client("Ada", "Example Ltd"), client("Ben", "Example Ltd", "Clients/1042")])).toEqual(
    [],
  );
  expect(sharedFolders([client("Example Ltd", null), client("Ada", "Example Ltd")])).toHaveLength(1);
});
