import { expect, test } from "bun:test";
import { DOCUMENT_DEFAULTS } from "../../worker/contract/documents";
import { describeApi } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { BLANK_TEMPLATE, FILLED_TEMPLATE } from "../support/api/filled-fields";

const TAXES = { name: "Taxes", fields: [{ name: "Payslip" }] };

describeApi("templates", (api) => {
  test("a template is created with its defaults, read, listed and sent back unchanged", async () => {
    const alice = await api.signUp();
    const input = {
      name: " Taxes ",
      fields: [
        { name: " Payslip " },
        {
          name: "Photo",
          description: "Of you",
          required: true,
          allowedFileTypes: [".PNG", "jpg"],
          multiple: true,
        },
      ],
    };
    const { status, body } = await alice.post("/api/templates", input);
    expect([status, body]).toMatchObject([
      201,
      {
        ...BLANK_TEMPLATE,
        userId: alice.id,
        workspaceId: alice.workspaceId,
        name: "Taxes",
        fields: [
          { ...DOCUMENT_DEFAULTS, name: "Payslip" },
          { ...DOCUMENT_DEFAULTS, ...input.fields[1] },
        ],
      },
    ]);
    expect((await alice.get(`/api/templates/${body.id}`)).body).toEqual(body);
    expect((await alice.get("/api/templates")).body).toEqual([body]);
    const { updatedAt: _read, ...same } = body;
    expect(await alice.put(`/api/templates/${body.id}`, body)).toMatchObject({ status: 200, body: same });
    expect((await alice.post("/api/templates", body)).status).toBe(201);
  });

  test("a change replaces the whole template but neither its owner nor its workspace", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { body: template } = await alice.post("/api/templates", { ...TAXES, description: "Yearly" });
    const input = {
      ...TAXES,
      name: "New",
      id: 1,
      userId: bob.id,
      workspaceId: bob.workspaceId,
      createdAt: "2000",
    };
    const changed = await alice.put(`/api/templates/${template.id}`, input);
    expect(changed.body).toEqual({
      ...template,
      name: "New",
      description: null,
      updatedAt: expect.any(String),
    });
    expect((await alice.put(`/api/templates/${template.id}`, { description: "x" })).status).toBe(400);
  });

  test("a template in use cannot be deleted before its envelopes", async () => {
    const alice = await api.signUp();
    const { body: template } = await alice.post("/api/templates", TAXES);
    const envelope = await sendEnvelope(alice, { templateId: template.id });
    const { body: draft } = await alice.post("/api/requests", { isDraft: true, templateId: template.id });
    expect(envelope.templateId).toBe(template.id);
    expect(
      await api.select(
        `select user_id, template_id, customer_email, status from template_uses where user_id = ${alice.id}`,
      ),
    ).toEqual([
      { user_id: alice.id, template_id: template.id, customer_email: "rita@example.com", status: "pending" },
      { user_id: alice.id, template_id: template.id, customer_email: "", status: "draft" },
    ]);
    const rejected = await alice.delete(`/api/templates/${template.id}`);
    expect([rejected.status, rejected.body.code]).toEqual([409, "template_in_use"]);
    expect(rejected.body.message).toContain("foreign key constraint");
    await alice.delete(`/api/requests/${envelope.id}`);
    await alice.put(`/api/requests/${draft.id}`, { isDraft: true });
    const deleted = await alice.delete(`/api/templates/${template.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await alice.get(`/api/templates/${template.id}`)).body).toEqual({
      message: "Template not found",
      code: "template_not_found",
    });
    expect((await alice.delete(`/api/templates/${template.id}`)).status).toBe(404);
  });

  test("another account's template is not found, also when creating an envelope", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { body: template } = await alice.post("/api/templates", TAXES);
    const { body: draft } = await bob.post("/api/requests", { isDraft: true });
    for (const { status, body } of [
      await bob.get(`/api/templates/${template.id}`),
      await bob.put(`/api/templates/${template.id}`, TAXES),
      await bob.delete(`/api/templates/${template.id}`),
      await bob.post("/api/requests", { isDraft: true, templateId: template.id }),
      await bob.put(`/api/requests/${draft.id}`, { isDraft: true, templateId: template.id }),
    ])
      expect([status, body.code]).toEqual([404, "template_not_found"]);
    expect((await bob.get("/api/templates")).body).toEqual([]);
    expect((await alice.get("/api/templates")).body).toEqual([template]);
  });

  test("hold what an envelope starts with; absent fields become null", async () => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/templates", FILLED_TEMPLATE);
    expect(body).toMatchObject(FILLED_TEMPLATE);
    const { name, fields } = FILLED_TEMPLATE;
    const changed = await owner.put(`/api/templates/${body.id}`, { name, fields });
    const none = { subject: null, message: null, language: null, notificationPreference: null };
    const noDates = { reminderFrequency: null, reminderDays: null, dueInDays: null, expiresInDays: null };
    expect(changed.body).toMatchObject({ ...none, ...noDates });
    // Without days to the due date, whoever uses it chooses the date.
    expect((await owner.post("/api/templates", { name, fields, reminderDays: [3] })).status).toBe(201);
  });

  test.each([
    { dueInDays: -1 },
    { dueInDays: 366 },
    { expiresInDays: 1.5 },
    { expiresInDays: "30" },
    { language: "tlh" },
    { reminderFrequency: "hourly" },
    { notificationPreference: "fax" },
    { reminderDays: [61] },
    // After the last day of the link.
    { dueInDays: 31 },
  ])("%j is rejected", async (wrong) => {
    const owner = await api.signUp();
    const { status, body } = await owner.post("/api/templates", { ...FILLED_TEMPLATE, ...wrong });
    expect(status).toBe(400);
    expect(body.issues[0].path).toStartWith(Object.keys(wrong)[0] ?? "");
  });
});
