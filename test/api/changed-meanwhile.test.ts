import { beforeAll, describe, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";

type Body = ApiResponse["body"];

/** What several people change, each with two contents and the field that tells them apart. */
const ENTITIES = {
  contact: {
    path: "/api/contacts",
    method: "patch",
    field: "firstName",
    contents: (name: string) => ({ firstName: name }),
  },
  template: {
    path: "/api/templates",
    method: "put",
    field: "name",
    contents: (name: string) => ({ name, fields: [{ name: "Payslip" }] }),
  },
  draft: {
    path: "/api/requests",
    method: "put",
    field: "subject",
    contents: (name: string) => ({ ...ENVELOPE, isDraft: true, subject: name }),
  },
} as const;

const RACERS = 12;
const codeOf = ({ status, body }: ApiResponse) => [status, body?.code];

describeApi("two people at once", (api) => {
  let owner: SignedUp;
  let colleague: SignedUp;
  let viewer: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
    colleague = await joinAs(api, owner, "member");
    viewer = await joinAs(api, owner, "viewer");
    await colleague.patch("/api/user/profile", { firstName: "Ada", lastName: "Lovelace" });
  });

  describe.each(Object.entries(ENTITIES))("a %s", (_name, { path, method, field, contents }) => {
    const create = async (by = owner): Promise<Body> =>
      (await by.post(path, { ...contents("Before"), workspaceId: owner.workspaceId })).body;

    test("is not changed with an outdated `updatedAt`; the response says who changed it and when", async () => {
      const read = await create();
      const theirs = await colleague[method](`${path}/${read.id}`, contents("Theirs"));
      const mine = await owner[method](`${path}/${read.id}`, {
        ...contents("Mine"),
        updatedAt: read.updatedAt,
      });
      expect(codeOf(mine)).toEqual([409, "changed_meanwhile"]);
      expect(mine.body).toMatchObject({
        changedBy: { firstName: "Ada", lastName: "Lovelace" },
        updatedAt: theirs.body.updatedAt,
      });
      expect((await owner.get(`${path}/${read.id}`)).body).toEqual(theirs.body);
      const again = { ...contents("Mine"), updatedAt: mine.body.updatedAt };
      expect((await owner[method](`${path}/${read.id}`, again)).body[field]).toBe("Mine");
      expect((await owner[method](`${path}/${read.id}`, contents("Absent"))).body[field]).toBe("Absent");
    });

    test("has an `updatedAt` that increases with each change, within one millisecond too", async () => {
      const { id, updatedAt } = await create();
      const times = [updatedAt];
      for (const name of ["1", "2", "3"])
        times.push((await owner[method](`${path}/${id}`, contents(name))).body.updatedAt);
      expect(times).toEqual([...new Set(times)].sort());
      const [listed] = (await owner.get(path)).body;
      expect([listed.id, listed.updatedAt]).toEqual([id, times.at(-1)]);
    });

    test("of many changes at once with the same `updatedAt`, exactly one is made", async () => {
      const { id, updatedAt } = await create();
      const names = Array.from({ length: RACERS }, (_, index) => `Racer ${index}`);
      const responses = await Promise.all(
        names.map((name, index) =>
          (index % 2 ? owner : colleague)[method](`${path}/${id}`, { ...contents(name), updatedAt }),
        ),
      );
      const made = responses.filter(({ status }) => status === 200);
      expect(made).toHaveLength(1);
      for (const response of responses)
        if (response !== made[0]) expect(codeOf(response)).toEqual([409, "changed_meanwhile"]);
      expect((await owner.get(`${path}/${id}`)).body).toEqual(made[0]?.body);
    });

    test("is as forbidden to viewers and as unknown to others with an outdated `updatedAt` as without", async () => {
      const { id } = await create();
      const outdated = { ...contents("Mine"), updatedAt: "2020-01-01T00:00:00.000Z" };
      expect(codeOf(await viewer[method](`${path}/${id}`, outdated))).toEqual([403, "role_required"]);
      const stranger = await api.signUp();
      expect((await stranger[method](`${path}/${id}`, outdated)).status).toBe(404);
    });

    test("tells the name of who changed it after their account is gone, and the address without a name", async () => {
      const gone = await joinAs(api, owner, "member");
      const { id, updatedAt } = await create();
      await gone[method](`${path}/${id}`, contents("Theirs"));
      const outdated = { ...contents("Mine"), updatedAt };
      const changedBy = { firstName: gone.email, lastName: null };
      expect((await owner[method](`${path}/${id}`, outdated)).body.changedBy).toEqual(changedBy);
      expect((await gone.delete("/api/user/account")).status).toBe(204);
      expect((await owner[method](`${path}/${id}`, outdated)).body.changedBy).toEqual(changedBy);
    });
  });

  test("a submission is a change of the envelope by its recipient", async () => {
    const envelope = await sendEnvelope(owner);
    const submitted = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect(submitted.status).toBe(201);
    const { updatedAt } = envelope;
    const late = await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, updatedAt });
    expect(codeOf(late)).toEqual([409, "changed_meanwhile"]);
    expect(late.body.changedBy).toEqual({ firstName: ENVELOPE.recipientName, lastName: null });
    const outdated = { ...ENVELOPE, updatedAt: late.body.updatedAt };
    expect(codeOf(await owner.put(`/api/requests/${envelope.id}`, outdated))).toEqual([
      409,
      "envelope_completed",
    ]);
  });
});
