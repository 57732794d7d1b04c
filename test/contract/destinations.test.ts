import { expect, test } from "bun:test";
import { DESTINATION_KINDS } from "../../worker/contract/destination-kinds";
import {
  backfillInput,
  backfillResponse,
  connectInput,
  connectResponse,
  DESTINATION_SETTINGS,
  destinationChanges,
  destinationInput,
  destinationResponse,
  destinationsQuery,
  destinationTestResponse,
  fileDeliveriesQuery,
  fileDeliveryResponse,
  folderResponse,
  foldersQuery,
  submissionDelivery,
} from "../../worker/contract/destinations";

const S3 = {
  workspaceId: 1,
  kind: "s3",
  name: "Archive",
  settings: { endpoint: "https://s3.example.com", bucket: "files", region: "eu" },
  credentials: { accessKeyId: "key", secretAccessKey: "secret" },
};

test("what is not said about a destination is as by default", () => {
  expect(destinationInput.parse(S3)).toMatchObject({
    when: "submitted",
    folderRule: "{clientFolder}/{year}/{subject}",
    includeAnswers: true,
  });
});

test.each([
  ["settings.endpoint", { ...S3, settings: { ...S3.settings, endpoint: "no address" } }],
  ["settings.prefix", { ...S3, settings: { ...S3.settings, prefix: "../other" } }],
  ["credentials.secretAccessKey", { ...S3, credentials: { accessKeyId: "key" } }],
  ["settings.url", { ...S3, kind: "webdav", settings: {}, credentials: { user: "a", password: "b" } }],
  ["settings.path", { ...S3, kind: "folder", settings: { path: "../x" } }],
  ["folderRule", { ...S3, folderRule: "{client}" }],
  ["kind", { ...S3, kind: "ftp" }],
  ["name", { ...S3, name: "x".repeat(101) }],
])("a wrong value is named: %s", (path, input) => {
  const { error } = destinationInput.safeParse(input);
  expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test("each kind has settings, and every call its schema", () => {
  expect(Object.keys(DESTINATION_SETTINGS)).toEqual([...DESTINATION_KINDS]);
  expect(destinationChanges.safeParse({ state: "full" }).success).toBe(false);
  expect(connectInput.safeParse({ workspaceId: 1, kind: "webdav" }).success).toBe(false);
  expect(backfillInput.safeParse({ from: "yesterday" }).success).toBe(false);
  expect(fileDeliveriesQuery.safeParse({ state: "lost" }).success).toBe(false);
  expect(foldersQuery.parse({ address: "https://x" })).toEqual({ address: "https://x" });
  expect(destinationsQuery.parse({ workspaceId: "3" })).toEqual({ workspaceId: 3 });
  const responses = [destinationResponse, destinationTestResponse, fileDeliveryResponse, folderResponse];
  for (const schema of [...responses, backfillResponse, connectResponse, submissionDelivery])
    expect(schema.safeParse({}).success).toBe(false);
});
