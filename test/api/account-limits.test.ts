import { expect, test } from "bun:test";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import { describeApi, type SignedUp } from "../support/api/client";
import { joinAs } from "../support/api/team";

/** Each list of an account: its limit, its columns without a default, and a body that adds one. */
const LISTS = [
  ["workspaces", SERVER_LIMITS.workspacesPerAccount, "name, updated_at", "'A', ''", { name: "A" }],
  ["contacts", SERVER_LIMITS.contactsPerAccount, "first_name, updated_at", "'A', ''", { firstName: "A" }],
  [
    "templates",
    SERVER_LIMITS.templatesPerAccount,
    "name, fields",
    "'A', '[]'",
    { name: "A", fields: [{ name: "B" }] },
  ],
  [
    "envelopes",
    SERVER_LIMITS.envelopesPerAccount,
    "created_by, title, description, customer_email, submission_token, updated_at",
    "user_id, '', '', '', hex(randomblob(16)), ''",
    { isDraft: true },
  ],
] as const;

describeApi("the limits of an account's lists", (api) => {
  test.each(LISTS)("accepts %s up to %d, also concurrently", async (table, max, columns, values, body) => {
    const owner = await api.signUp();
    const other = await api.signUp();
    const path = `/api/${table === "envelopes" ? "requests" : table}`;
    const workspace = table === "workspaces" ? "" : ", workspace_id";
    const existing = table === "workspaces" ? 1 : 0;
    const fill = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${max - existing - 2})`;
    await api.execute(
      `insert into ${table} (user_id, created_at${workspace}, ${columns}) ${fill}
        select ${owner.id}, ''${workspace && `, ${owner.workspaceId}`}, ${values} from n, (select ${owner.id} as user_id)`,
    );
    const responses = await Promise.all(Array.from({ length: 5 }, () => owner.post(path, body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toEqual({
      code: "account_full",
      message: `Your account has reached its limit of ${max} entries of this kind. Please delete some first`,
      params: { max },
    });
    expect((await other.post(path, body)).status).toBe(201);
    if (table === "workspaces") return;
    const made = responses.find(({ status }) => status === 201)?.body;
    expect((await owner.delete(`${path}/${made.id}`)).status).toBe(204);
    expect((await owner.post(path, body)).status).toBe(201);
  });

  test("a member who assigns envelopes to a colleague spends their own limit", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const fill = (person: SignedUp) =>
      api.execute(
        `insert into envelopes (user_id, created_by, workspace_id, created_at, updated_at, title, description, customer_email, submission_token)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SERVER_LIMITS.envelopesPerAccount})
         select ${owner.id}, ${person.id}, ${owner.workspaceId}, '', '', '', '', '', hex(randomblob(16)) from n`,
      );
    await fill(owner);
    const draft = { isDraft: true, workspaceId: owner.workspaceId, assigneeId: owner.id };
    expect((await member.post("/api/requests", draft)).status).toBe(201);
    await fill(member);
    const denied = await member.post("/api/requests", draft);
    expect([denied.status, denied.body.code]).toEqual([409, "account_full"]);
  });
});
