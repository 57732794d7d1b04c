import { expect, test } from "bun:test";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const NONE = "all=0, waiting=0, overdue=0, toReview=0, completed=0, expired=0, scheduled=0, drafts=0";
const later = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000).toISOString();

describeApi("new and overdue envelopes", (api) => {
  const submitFiles = async (envelope: { submissionToken: string }) =>
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
  const counts = async (owner: SignedUp, query = "") =>
    (await owner.get(`/api/requests?counts=1${query}`)).headers.get("envelope-counts");
  const read = async (owner: SignedUp, id: number) => (await owner.get(`/api/requests/${id}`)).body;

  test("the list counts all envelopes by state, whatever the page", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    expect(await counts(alice)).toBe(NONE);
    const { body: other } = await alice.post("/api/workspaces", { name: "Other" });
    expect(await counts(alice, `&workspaceId=${other.id}`)).toBe(NONE);
    await alice.post("/api/requests", { isDraft: true });
    await sendEnvelope(alice);
    await sendEnvelope(alice, { expirationDate: "2026-03-15" });
    await sendEnvelope(alice, { workspaceId: other.id });
    const [first, second] = [await sendEnvelope(alice), await sendEnvelope(alice)];
    for (const envelope of [first, second]) await submitFiles(envelope);
    await alice.post(`/api/requests/${first.id}/review`, { accept: [first.documents[0].id] });
    expect(await counts(alice)).toBe(
      "all=6, waiting=3, overdue=0, toReview=1, completed=2, expired=0, scheduled=0, drafts=1",
    );
    expect(await counts(alice, "&limit=1")).toBe(await counts(alice));
    expect(await counts(alice, `&workspaceId=${other.id}`)).toBe(
      "all=1, waiting=1, overdue=0, toReview=0, completed=0, expired=0, scheduled=0, drafts=0",
    );
    expect(await counts(bob)).toBe(NONE);
    // The day is over, but the job that expires envelopes has not run.
    await api.setClock(later(2));
    expect(await counts(alice)).toBe(
      "all=6, waiting=2, overdue=0, toReview=1, completed=2, expired=1, scheduled=0, drafts=1",
    );
    await api.runJobs();
    expect(await counts(alice)).toBe(
      "all=6, waiting=2, overdue=0, toReview=1, completed=2, expired=1, scheduled=0, drafts=1",
    );
    await api.setClock(TEST_START);
  });

  test("the counts match the listed rows, and are absent unless requested", async () => {
    const alice = await api.signUp();
    for (let count = 0; count < 3; count += 1) await sendEnvelope(alice);
    const response = await alice.get("/api/requests?counts=1&limit=2");
    expect(response.body).toHaveLength(2);
    expect(response.headers.get("link")).toContain("counts=1");
    expect(response.headers.get("envelope-counts")).toStartWith("all=3,");
    expect((await alice.get("/api/requests")).headers.get("envelope-counts")).toBeNull();
    expect((await alice.get("/api/requests?counts=yes")).status).toBe(400);
  });

  test("an envelope is new from its submission until its owner opens it", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const envelope = await sendEnvelope(alice);
    expect(envelope.isNew).toBe(false);
    await submitFiles(envelope);
    const { completedAt, isNew } = await read(alice, envelope.id);
    expect(isNew).toBe(true);
    const seen = (owner: SignedUp, body: object) => owner.post(`/api/requests/${envelope.id}/seen`, body);
    expect((await seen(bob, { completedAt })).status).toBe(404);
    expect((await seen(alice, {})).status).toBe(400);
    expect((await read(alice, envelope.id)).isNew).toBe(true);
    expect((await seen(alice, { completedAt })).status).toBe(204);
    const looked = await read(alice, envelope.id);
    expect([looked.isNew, looked.completedAt]).toEqual([false, completedAt]);
    expect((await seen(alice, { completedAt })).status).toBe(204);
  });

  test("a second submission is new again, even if the first is opened concurrently", async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    await submitFiles(envelope);
    const { completedAt } = await read(alice, envelope.id);
    const back = [{ documentId: envelope.documents[0].id, reason: "Blurry" }];
    const returned = await alice.post(`/api/requests/${envelope.id}/review`, { return: back });
    expect([returned.body.status, returned.body.isNew]).toEqual(["pending", false]);
    await api.setClock(later(1));
    await submitFiles(envelope);
    await alice.post(`/api/requests/${envelope.id}/seen`, { completedAt });
    expect((await read(alice, envelope.id)).isNew).toBe(true);
    await api.setClock(TEST_START);
  });
});
