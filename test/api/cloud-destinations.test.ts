import { afterAll, beforeEach, expect, test } from "bun:test";
import { createSecretBox } from "../../worker/adapters/shared/secret-box";
import { SEALED_CONTEXTS } from "../../worker/ports/crypto";
import { type Api, type Client, describeApi, programOf, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { largePdfFile } from "../support/files/files";
import { rounds, TEST_SECRET_KEY, TEST_START } from "../support/runtime/runtime";
import { startCloudProviders } from "../support/servers/cloud";
import { MY_DRIVE } from "../support/servers/cloud/graph";

const cloud = startCloudProviders();
afterAll(() => cloud.stop());

const MIB = 1024 * 1024;
const after = (seconds: number) => new Date(Date.parse(TEST_START) + seconds * 1000).toISOString();
type Kind = "microsoft" | "google";
const sideOf = (kind: Kind) => (kind === "microsoft" ? cloud.graph : cloud.drive);

async function begin(client: SignedUp, kind: Kind, more: object = {}): Promise<URL> {
  const input = { workspaceId: client.workspaceId, kind, ...more };
  const { status, body } = await client.post("/api/destinations/connect", input);
  expect([status, body.code]).toEqual([200, undefined]);
  return new URL(body.url);
}

/** Comes back from the provider's page. @returns what the page of integrations is told */
async function comeBack(client: Client, page: URL, query: Record<string, string>): Promise<string> {
  const callback = new URL(page.searchParams.get("redirect_uri") ?? "");
  const state = page.searchParams.get("state") ?? "";
  const response = await client.get(`${callback.pathname}?${new URLSearchParams({ state, ...query })}`);
  expect(response.status).toBe(302);
  const location = response.headers.get("location") ?? "";
  expect(location.startsWith("/integrations?")).toBe(true);
  return location.slice("/integrations?".length);
}

async function connect(client: SignedUp, kind: Kind, more: object = {}): Promise<number> {
  const page = await begin(client, kind, more);
  const told = await comeBack(client, page, { code: sideOf(kind).grants.agree(page) });
  expect(told).toMatch(/^destination=\d+$/);
  return Number(told.slice("destination=".length));
}

const find = async (client: SignedUp, id: number) =>
  (await client.get(`/api/destinations?workspaceId=${client.workspaceId}`)).body.find(
    (destination: { id: number }) => destination.id === id,
  );

/** A destination that delivers into the folder "Clients". */
async function connected(client: SignedUp, kind: Kind): Promise<number> {
  const id = await connect(client, kind);
  const folderId = kind === "microsoft" && cloud.graph.addFolder(MY_DRIVE, `Clients ${id}`).id;
  const settings = folderId ? { driveId: MY_DRIVE, folderId } : { folderName: `Clients ${id}` };
  const { status, body } = await client.patch(`/api/destinations/${id}`, {
    ...{ settings, folderRule: "{recipient}/{year}", includeAnswers: false },
  });
  expect([status, body.state]).toEqual([200, "active"]);
  return id;
}

async function submit(api: Api, client: SignedUp, ...files: File[]): Promise<void> {
  const names = ["Contract", "Passport"].slice(0, files.length);
  const documents = names.map((name) => ({ name }));
  const envelope = await sendEnvelope(client, { workspaceId: client.workspaceId, documents });
  const sent = Object.fromEntries(files.map((file, index) => [names[index] ?? "", file]));
  const { status } = await api.anonymous().post(linkOf(envelope), form(sent));
  expect(status).toBe(201);
  await api.finishBackgroundWork();
}

const delivered = (kind: Kind, id: number) =>
  sideOf(kind)
    .files()
    .filter(({ path }) => path.startsWith(`Clients ${id}/`));

const OPTIONS = { variables: cloud.variables, signInProviders: cloud.providers, maxFileMb: 30 };

describeApi("destinations that are connected by signing in there", OPTIONS, (api) => {
  beforeEach(() => api.setClock(TEST_START));

  for (const kind of ["microsoft", "google"] as const) {
    test(`${kind}: a new one is paused until its folder is chosen, has the account as its name, and shows no secret`, async () => {
      const owner = await api.signUp();
      const page = await begin(owner, kind);
      expect(page.href.startsWith(`${cloud.origin}/`)).toBe(true);
      expect(page.searchParams.get("redirect_uri")).toBe(`${api.origin}/api/destinations/callback/${kind}`);
      const id = Number(
        (await comeBack(owner, page, { code: sideOf(kind).grants.agree(page) })).split("=")[1],
      );
      const account = kind === "google" ? "ada@example.com" : "ada@contoso.example";
      const { text, body } = await owner.get(`/api/destinations?workspaceId=${owner.workspaceId}`);
      expect(body).toMatchObject([{ id, kind, account, name: account, state: "paused", settings: {} }]);
      const [row] = await api.select(`select credentials from destinations where id = ${id}`);
      expect(row?.credentials).toStartWith("v1.");
      for (const token of sideOf(kind).grants.refreshTokens)
        expect(`${text}${JSON.stringify(row)}`).not.toContain(token);
    });

    test(`${kind}: a state serves once, for ten minutes, the session that began, and its kind`, async () => {
      const owner = await api.signUp();
      const used = await begin(owner, kind);
      const { grants } = sideOf(kind);
      await comeBack(owner, used, { code: grants.agree(used) });
      expect(await comeBack(owner, used, { code: grants.agree(used) })).toBe("error=challenge_ended");

      const foreign = await begin(owner, kind);
      const other = await api.signUp();
      expect(await comeBack(other, foreign, { code: grants.agree(foreign) })).toBe("error=challenge_ended");
      expect(await comeBack(api.anonymous(), foreign, { code: "x" })).toBe("error=unauthenticated");
      expect(await comeBack(owner, foreign, { code: grants.agree(foreign), state: "x" })).toBe(
        "error=challenge_ended",
      );

      const refused = await begin(owner, kind);
      expect(await comeBack(owner, refused, { error: "access_denied" })).toBe("error=sign_in_failed");
      expect(await comeBack(owner, refused, { code: grants.agree(refused) })).toBe("error=challenge_ended");

      const invented = await begin(owner, kind);
      expect(await comeBack(owner, invented, { code: "invented" })).toBe("error=sign_in_failed");

      const wrong = await begin(owner, kind === "google" ? "microsoft" : "google");
      wrong.searchParams.set("redirect_uri", `${api.origin}/api/destinations/callback/${kind}`);
      expect(await comeBack(owner, wrong, { code: "x" })).toBe("error=challenge_ended");

      const late = await begin(owner, kind);
      await api.setClock(after(601));
      expect(await comeBack(owner, late, { code: grants.agree(late) })).toBe("error=challenge_ended");
      const { body } = await owner.get(`/api/destinations?workspaceId=${owner.workspaceId}`);
      expect(body).toHaveLength(1);
    });

    test(`${kind}: a submitted file arrives whole in several chunks, and its place is told`, async () => {
      const owner = await api.signUp();
      const id = await connected(owner, kind);
      const file = largePdfFile(21 * MIB);
      await submit(api, owner, file);
      await api.runJobs();
      // That the test of its settings has made is used.
      const roots = [...sideOf(kind).items.values()].filter(({ name }) => name === `Clients ${id}`);
      expect(roots).toHaveLength(1);
      const [found, ...others] = delivered(kind, id);
      expect(others).toEqual([]);
      expect(found?.path).toBe(`Clients ${id}/Rita Recipient/2026/Contract - Rita Recipient.pdf`);
      expect(Buffer.from(found?.bytes ?? []).equals(await file.bytes())).toBe(true);
      const { body: log } = await owner.get(`/api/destinations/${id}/deliveries`);
      expect(log).toMatchObject([
        { state: "delivered", url: expect.stringMatching(/^https:/), failure: null },
      ]);
      expect((await find(owner, id)).lastDeliveredAt).toBe(TEST_START);
    });

    test(`${kind}: a folder that was deleted there is made again, with those in it, however long their path is`, async () => {
      const owner = await api.signUp();
      const id = await connected(owner, kind);
      await owner.patch(`/api/destinations/${id}`, { folderRule: "{recipient}/{year}/{subject}" });
      const client = "Ünited Éxample Trading Company Limited & Sons 100_";
      const isBelow = (path: unknown) => String(path).includes(`${client}/2026`);
      const folders = async () => {
        const where = `where destination_id = ${id} order by path`;
        const rows = await api.select(`select path, folder_id as folder from destination_folders ${where}`);
        return {
          below: rows.filter(({ path }) => isBelow(path)),
          others: rows.filter(({ path }) => !isBelow(path)),
        };
      };
      for (const recipientName of [client, "Other"]) await submitAs(recipientName);
      const before = await folders();
      for (const { folder } of before.below) sideOf(kind).removeFolder(String(folder));
      const files = delivered(kind, id).length;
      await submitAs(client);
      expect(delivered(kind, id)).toHaveLength(files + 1);
      expect(delivered(kind, id).at(-1)?.path).toContain(`/${client}/2026/Papers/Contract`);
      const after = await folders();
      expect(after.others).toEqual(before.others);
      expect(after.below.map(({ path }) => path)).toEqual(before.below.map(({ path }) => path));
      for (const folder of after.below) expect(before.below).not.toContainEqual(folder);

      async function submitAs(recipientName: string) {
        const documents = [{ name: "Contract" }];
        const more = { workspaceId: owner.workspaceId, recipientName, subject: "Papers", documents };
        const link = linkOf(await sendEnvelope(owner, more));
        expect((await api.anonymous().post(link, form({ Contract: largePdfFile(1000) }))).status).toBe(201);
        await api.finishBackgroundWork();
        await api.runJobs();
      }
    });

    test(`${kind}: a grant that has ended waits for somebody to connect again, which makes no second destination`, async () => {
      const owner = await api.signUp();
      const id = await connected(owner, kind);
      sideOf(kind).grants.end();
      await submit(api, owner, largePdfFile(1000), largePdfFile(2000));
      expect(await find(owner, id)).toMatchObject({ state: "reconnect", waiting: 2 });
      expect(delivered(kind, id)).toEqual([]);
      const told = await api.select(
        `select id from notifications where kind = 'destination_problem' and user_id = ${owner.id}`,
      );
      expect(told).toHaveLength(1);
      expect(await connect(owner, kind, { destinationId: id })).toBe(id);
      await api.finishBackgroundWork();
      expect(await find(owner, id)).toMatchObject({ state: "active", waiting: 0, failed: 0 });
      expect(delivered(kind, id)).toHaveLength(2);
    });

    test(`${kind}: a full one is tried again by a test`, async () => {
      const owner = await api.signUp();
      const id = await connected(owner, kind);
      sideOf(kind).isFull = true;
      await submit(api, owner, largePdfFile(1000));
      expect(await find(owner, id)).toMatchObject({ state: "full", waiting: 1 });
      sideOf(kind).isFull = false;
      const tested = await owner.post(`/api/destinations/${id}/test`);
      expect(tested.body).toMatchObject({ ok: true, path: expect.stringContaining(".doculopes-test-") });
      await api.finishBackgroundWork();
      expect(await find(owner, id)).toMatchObject({ state: "active", waiting: 0 });
      expect(delivered(kind, id)).toHaveLength(1);
    });

    test(`${kind}: removing it removes its secrets, and ends the grant where an app can`, async () => {
      const owner = await api.signUp();
      const id = await connected(owner, kind);
      const { refreshTokens } = sideOf(kind).grants;
      const before = refreshTokens.size;
      expect((await owner.delete(`/api/destinations/${id}`)).status).toBe(204);
      await api.finishBackgroundWork();
      expect(await api.select(`select id from destinations where id = ${id}`)).toEqual([]);
      expect(refreshTokens.size).toBe(before - (kind === "google" ? 1 : 0));
    });
  }

  test("of two calls that renew the access at once one does, each time, and one valid refresh token remains", async () => {
    const owner = await api.signUp();
    const id = await connect(owner, "microsoft");
    const { grants } = cloud.graph;
    const before = grants.refreshes;
    const valid = grants.refreshTokens.size;
    for (let round = 1; round <= rounds(100); round += 1) {
      grants.expireAccess();
      const calls = [1, 2].map(() => owner.get(`/api/destinations/${id}/folders`));
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
      expect(grants.refreshes).toBe(before + round);
      expect(grants.refreshTokens.size).toBe(valid);
    }
  }, 240_000);

  test("what is renewed while the secret key is rotated is kept, and the destination stays connected", async () => {
    const owner = await api.signUp();
    const id = await connect(owner, "microsoft");
    const { grants } = cloud.graph;
    const box = createSecretBox(async () => [TEST_SECRET_KEY]);
    const context = SEALED_CONTEXTS.destination(owner.workspaceId);
    grants.beforeRefreshResponse = async () => {
      const [row] = await api.select(`select credentials from destinations where id = ${id}`);
      const again = await box.seal(await box.open(String(row?.credentials), context), context);
      await api.execute(`update destinations set credentials = '${again}' where id = ${id}`);
    };
    for (let round = 0; round < 2; round += 1) {
      grants.expireAccess();
      expect((await owner.get(`/api/destinations/${id}/folders`)).status).toBe(200);
    }
    grants.beforeRefreshResponse = undefined;
    grants.expireAccess();
    expect((await owner.get(`/api/destinations/${id}/folders`)).status).toBe(200);
  });

  test("a grant stays while another destination of the workspace has the same account at Google", async () => {
    const owner = await api.signUp();
    const [first, second] = [await connected(owner, "google"), await connected(owner, "google")];
    expect((await owner.delete(`/api/destinations/${first}`)).status).toBe(204);
    await api.finishBackgroundWork();
    await submit(api, owner, largePdfFile(1000));
    expect(await find(owner, second)).toMatchObject({ state: "active", waiting: 0 });
  });

  test("connecting needs an owner with a recent sign-in, and no token can", async () => {
    const owner = await api.signUp();
    const input = { workspaceId: owner.workspaceId, kind: "google" };
    const { body: token } = await owner.post("/api/tokens", { name: "CI", scope: "write" });
    const program = programOf(api, token.token);
    const member = await joinAs(api, owner, "member");
    const stranger = await api.signUp();
    const mine = await connect(owner, "google");
    const attempts = [
      [program, input, 403, "token_not_allowed"],
      [member, input, 403, "role_required"],
      [stranger, input, 404, "workspace_not_found"],
      [owner, { ...input, kind: "s3" }, 400, "validation"],
      [owner, { ...input, kind: "microsoft", destinationId: mine }, 404, "destination_not_found"],
      [owner, { ...input, destinationId: 99_999 }, 404, "destination_not_found"],
      [
        stranger,
        { ...input, workspaceId: stranger.workspaceId, destinationId: mine },
        404,
        "destination_not_found",
      ],
    ] as const;
    for (const [client, body, status, code] of attempts) {
      const response = await client.post("/api/destinations/connect", body);
      expect([response.status, response.body.code]).toEqual([status, code]);
    }
    await api.setClock(after(601));
    const late = await owner.post("/api/destinations/connect", input);
    expect([late.status, late.body.code]).toEqual([403, "reauthentication_required"]);
  });

  test("a workspace has five, and the sixth is refused before and after the provider's page", async () => {
    const owner = await api.signUp();
    const sixth = await begin(owner, "google");
    for (let count = 0; count < 5; count += 1) await connect(owner, "google");
    expect(await comeBack(owner, sixth, { code: cloud.drive.grants.agree(sixth) })).toBe(
      "error=too_many_destinations",
    );
    const input = { workspaceId: owner.workspaceId, kind: "google" };
    const { status, body } = await owner.post("/api/destinations/connect", input);
    expect([status, body.code]).toEqual([409, "too_many_destinations"]);
  });

  test("a member who was removed while at the provider connects nothing", async () => {
    const owner = await api.signUp();
    const partner = await joinAs(api, owner, "owner");
    const page = await begin(partner, "google", { workspaceId: owner.workspaceId });
    const removed = await owner.delete(`/api/workspaces/${owner.workspaceId}/members/${partner.id}`);
    expect(removed.status).toBeLessThan(300);
    expect(await comeBack(partner, page, { code: cloud.drive.grants.agree(page) })).toBe(
      "error=workspace_not_found",
    );
  });

  test("its folders are listed for owners, and by an address of SharePoint", async () => {
    const owner = await api.signUp();
    const id = await connect(owner, "microsoft");
    const folder = cloud.graph.addFolder(MY_DRIVE, "Mandanten");
    cloud.graph.addFolder(MY_DRIVE, "1042", folder.id);
    const top = await owner.get(`/api/destinations/${id}/folders`);
    expect(top.body).toContainEqual({ id: folder.id, name: "Mandanten", driveId: MY_DRIVE });
    const below = await owner.get(`/api/destinations/${id}/folders?parent=${folder.id}`);
    expect(below.body).toMatchObject([{ name: "1042" }]);
    const address = "https://contoso.sharepoint.com/sites/x/Shared%20Documents/Mandanten";
    cloud.graph.share(address, folder.id);
    const at = (text: string) =>
      owner.get(`/api/destinations/${id}/folders?address=${encodeURIComponent(text)}`);
    expect((await at(address)).body).toMatchObject([{ id: folder.id }]);
    for (const other of [`${address}/nothing`, "https://evil.example/", "x"]) {
      const { status, body } = await at(other);
      expect([status, body.code]).toEqual([400, "folder_not_found"]);
    }
    const stranger = await api.signUp();
    expect((await stranger.get(`/api/destinations/${id}/folders`)).status).toBe(404);
    sideOf("microsoft").grants.end();
    const ended = await owner.get(`/api/destinations/${id}/folders`);
    expect([ended.status, ended.body.code]).toEqual([400, "destination_refused"]);
  });

  test("more than 200 folders are pages", async () => {
    const owner = await api.signUp();
    const id = await connect(owner, "microsoft");
    const folder = cloud.graph.addFolder(MY_DRIVE, "Many");
    for (let count = 0; count < 201; count += 1)
      cloud.graph.addFolder(MY_DRIVE, `Folder ${count}`, folder.id);
    const first = await owner.get(`/api/destinations/${id}/folders?parent=${folder.id}`);
    expect(first.body).toHaveLength(200);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await owner.get(next.replace(api.origin, ""));
    expect(second.body).toMatchObject([{ name: "Folder 200" }]);
    expect(second.headers.get("link")).toBeNull();
  });
});

describeApi("a server without apps at Microsoft and Google", (api) => {
  test("connects nothing there", async () => {
    const owner = await api.signUp();
    for (const kind of ["google", "microsoft"]) {
      const input = { workspaceId: owner.workspaceId, kind };
      const { status, body } = await owner.post("/api/destinations/connect", input);
      expect([status, body.code]).toEqual([400, "destination_unavailable"]);
    }
  });
});
