import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type FieldValues, FormProvider, useForm } from "react-hook-form";
import contacts from "../../locales/en/contacts.json";
import review from "../../locales/en/review.json";
import shell from "../../locales/en/shell.json";
import templates from "../../locales/en/templates.json";
import workspace from "../../locales/en/workspace.json";
import { contactSchema, contactValues } from "../../web/features/contacts/contact.schema";
import { ContactCard } from "../../web/features/contacts/contact-card";
import { ContactFields } from "../../web/features/contacts/contact-dialog";
import { ContactFacts } from "../../web/features/contacts/contact-page";
import { contactName } from "../../web/features/contacts/contacts.queries";
import { EnvelopeDetail } from "../../web/features/envelopes/detail/envelope-detail";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";
import type { Review } from "../../web/features/envelopes/review/use-review";
import { ContactLine } from "../../web/features/envelopes/wizard/contact-picker";
import { StepDocuments } from "../../web/features/envelopes/wizard/step-documents";
import { StepMessage } from "../../web/features/envelopes/wizard/step-message";
import { StepRecipient } from "../../web/features/envelopes/wizard/step-recipient";
import { StepSettings } from "../../web/features/envelopes/wizard/step-settings";
import { STEPS, type StepName, stepFields } from "../../web/features/envelopes/wizard/steps";
import { initialValues } from "../../web/features/envelopes/wizard/wizard-values";
import { templateSchema, templateValues } from "../../web/features/templates/template.schema";
import { TemplateFields } from "../../web/features/templates/template-dialog";
import { TemplateCard } from "../../web/features/templates/templates-page";
import { membersQuery } from "../../web/features/workspaces/members/members.queries";
import { BrandingSettings } from "../../web/features/workspaces/settings/branding-settings";
import { FileNameSettings, FileTypeSettings } from "../../web/features/workspaces/settings/file-settings";
import { RetentionSettings } from "../../web/features/workspaces/settings/retention-settings";
import { GeneralForm, WorkspaceFacts } from "../../web/features/workspaces/settings/workspace-page";
import { WorkspaceFields } from "../../web/features/workspaces/workspace-fields";
import { type Workspace, workspacesQuery } from "../../web/features/workspaces/workspaces.queries";
import type { ContactFields as ContactEntry } from "../../worker/contract/contacts";
import type { TemplateFields as TemplateEntry } from "../../worker/contract/templates";
import { type WorkspaceFields as WorkspaceEntry, workspaceInput } from "../../worker/contract/workspaces";
import {
  BLANK_CONTACT,
  BLANK_TEMPLATE,
  FILLED_CONTACT,
  FILLED_DOCUMENT,
  FILLED_ENVELOPE,
  FILLED_TEMPLATE,
  FILLED_WORKSPACE,
} from "../support/api/filled-fields";
import { initEnglishTexts } from "../support/english-texts";

await initEnglishTexts({ en: { contacts, review, shell, templates, workspace } });
Object.defineProperty(globalThis, "location", { value: new URL("https://docs.example.com") });

/** A member of the workspace 1. */
const member = (userId: number) => ({ userId, role: "member", email: `${userId}@example.com` });

/** What a workspace with two members shows. */
function teamClient() {
  const client = new QueryClient();
  client.setQueryData<unknown>(workspacesQuery.queryKey, [{ id: 1, memberCount: 2, role: "owner" }]);
  client.setQueryData<unknown>(membersQuery(1).queryKey, { members: [member(1), member(2)] });
  return client;
}

function Form({ values, children }: { values: FieldValues; children: ReactNode }) {
  return (
    <QueryClientProvider client={teamClient()}>
      <FormProvider {...useForm({ defaultValues: values })}>{children}</FormProvider>
    </QueryClientProvider>
  );
}

const ignore = () => {};

/** The forms, and the names of the fields that each must have. */
const FORMS: [name: string, fields: ReactNode, values: FieldValues, names: string[]][] = [
  ["contact", <ContactFields key="contact" />, contactValues(), Object.keys(contactSchema.entries)],
  [
    "template",
    <TemplateFields key="template" />,
    templateValues(),
    Object.keys(templateSchema.entries).map((name) => (name === "fields" ? "fields.0.name" : name)),
  ],
  ["workspace", <WorkspaceFields key="workspace" />, {}, Object.keys(workspaceInput.shape)],
];

test.each(FORMS)("the form of a %s has an input for each field", (_name, fields, values, names) => {
  const markup = renderToStaticMarkup(<Form values={values}>{fields}</Form>);
  expect(names.filter((name) => !markup.includes(`name="${name}"`))).toEqual([]);
});

const WIZARD: Record<StepName, ReactNode> = {
  recipient: <StepRecipient workspaceId={1} onSeveral={undefined} onRecurring={undefined} />,
  message: <StepMessage placeholders={undefined} />,
  documents: <StepDocuments workspaceId={1} />,
  settings: <StepSettings workspaceId={1} contactOffer={null} summary={null} />,
};
/** Values other than the initial ones, of fields that are not free text. */
const OTHERS: FieldValues = {
  countryCode: "+49",
  phone: "30123456",
  reminderFrequency: "weekly",
  notificationPreference: "both",
  assigneeId: 2,
  reminderDays: [7],
  sendOn: "2999-01-01",
  sendHour: 15,
  documents: [FILLED_DOCUMENT, FILLED_DOCUMENT],
  prefill: true,
};
/** With what a field is shown. */
const BESIDE: FieldValues = {
  prefill: { contactId: 1, documents: [{ ...FILLED_DOCUMENT, kind: "yesNo" }] },
  sendHour: { sendOn: "2999-01-01" },
};

test.each(STEPS)("the wizard's step %p has an input for each of its fields", (step) => {
  const show = (values: FieldValues) =>
    renderToStaticMarkup(<Form values={{ ...initialValues(), ...values }}>{WIZARD[step]}</Form>);
  const missing = stepFields(step).filter((field) =>
    field in OTHERS
      ? show({ ...(BESIDE[field] as object), [field]: OTHERS[field] }) ===
        show({ ...(BESIDE[field] as object) })
      : !show({}).includes(`name="${field}"`),
  );
  expect(missing).toEqual([]);
});

const ENTITY = {
  ...{ id: 1, userId: 1, workspaceId: 1, createdAt: "", updatedAt: "", unsubscribedAt: null },
  ...{ openRequests: 0, overdueRequests: 0 },
};
const card = {
  mayEdit: true,
  onEdit: ignore,
  onDelete: ignore,
  onDuplicate: ignore,
  onRequest: ignore,
  onOpen: ignore,
  onSelect: ignore,
  selected: false,
  onUse: ignore,
  onBoard: ignore,
};

test("the card of a contact shows its name, address, number and company", () => {
  const markup = renderToStaticMarkup(<ContactCard contact={{ ...ENTITY, ...FILLED_CONTACT }} {...card} />);
  const { email, phone, company } = FILLED_CONTACT;
  for (const value of [contactName(FILLED_CONTACT), email, phone, company])
    expect(markup).toContain(`title="${value}"`);
});

test("the page of a contact shows each field", () => {
  const show = (contact: ContactEntry) =>
    renderToStaticMarkup(<ContactFacts contact={{ ...ENTITY, ...contact }} />);
  const { firstName: _, lastName: _last, ...facts } = FILLED_CONTACT;
  expect(hidden(facts, BLANK_CONTACT, show)).toEqual([]);
});

test("the card of a template shows each field", () => {
  const show = (template: TemplateEntry) =>
    renderToStaticMarkup(<TemplateCard template={{ ...ENTITY, ...template }} {...card} />);
  expect(hidden(FILLED_TEMPLATE, BLANK_TEMPLATE, show)).toEqual([]);
});

test("the card of a template names the days of its reminders, and does not call them none", () => {
  const settings = { reminderDays: [-1, 7, 0], reminderFrequency: "none" as const };
  const markup = renderToStaticMarkup(
    <TemplateCard template={{ ...ENTITY, ...BLANK_TEMPLATE, ...settings }} {...card} />,
  );
  expect(markup).toContain("reminders: 7 days before, On the day, 1 day after");
  expect(markup).not.toContain("None");
});

test("the picker shows a contact's name, address and company", () => {
  const line = renderToStaticMarkup(<ContactLine contact={{ ...ENTITY, ...FILLED_CONTACT }} />);
  expect(line).toContain(contactName(FILLED_CONTACT));
  expect(line).toContain(`${FILLED_CONTACT.email} · ${FILLED_CONTACT.company}`);
});

const WORKSPACE: Workspace = {
  ...{ id: 1, userId: 1, role: "owner", memberCount: 1, createdAt: "", updatedAt: "" },
  ...{
    hasFailedDeliveries: false,
    hasStoppedDestination: false,
    hasSchedules: false,
    schedulesStopped: false,
  },
  ...{ name: "A", description: null, retentionDays: null, fileNameRule: null, defaultFileTypes: null },
  ...{ brandName: null, brandColor: null, brandFooter: null, logo: null },
  ...{ logoReadableOn: null, logoHasName: false },
};
const general = (shown: Workspace) => <GeneralForm workspace={shown} onDirty={ignore} />;
const branding = (shown: Workspace) => <BrandingSettings workspace={shown} onDirty={ignore} />;
const SETTINGS: Record<keyof WorkspaceEntry, (shown: Workspace) => ReactNode> = {
  name: general,
  description: general,
  brandName: branding,
  brandColor: branding,
  brandFooter: branding,
  logoReadableOn: (shown) => branding({ ...shown, logo: { width: 80, height: 20 } }),
  logoHasName: (shown) => branding({ ...shown, logo: { width: 80, height: 20 } }),
  fileNameRule: (shown) => <FileNameSettings workspace={shown} onDirty={() => {}} />,
  defaultFileTypes: (shown) => <FileTypeSettings workspace={shown} onDirty={() => {}} />,
  retentionDays: (shown) => <RetentionSettings workspace={shown} />,
};

test.each(Object.entries(SETTINGS))("the settings of a workspace have its %s", (field, section) => {
  const show = (shown: object) =>
    renderToStaticMarkup(<Form values={{}}>{section({ ...WORKSPACE, ...shown })}</Form>);
  const filled = show({ [field]: FILLED_WORKSPACE[field as keyof WorkspaceEntry] });
  // The value of a text field is set in the browser.
  expect(filled.includes(`name="${field}"`) || filled !== show({})).toBe(true);
});

/** Whether members and viewers, who cannot change a setting, see it too. */
const SHOWN_TO_MEMBERS: Record<keyof WorkspaceEntry, boolean> = {
  name: true,
  description: true,
  retentionDays: true,
  brandName: false,
  brandColor: false,
  brandFooter: false,
  logoReadableOn: false,
  logoHasName: false,
  fileNameRule: false,
  defaultFileTypes: false,
};

test("members see the settings of a workspace that are shown to them", () => {
  const show = (shown: object) =>
    renderToStaticMarkup(<WorkspaceFacts workspace={{ ...WORKSPACE, ...shown }} />);
  const isShown = Object.entries(FILLED_WORKSPACE).map(([field, value]) => [
    field,
    show({ [field]: value }) !== show({}),
  ]);
  expect(Object.fromEntries(isShown)).toEqual(SHOWN_TO_MEMBERS);
});

const ENVELOPE = {
  ...{
    id: 1,
    userId: 1,
    workspaceId: 1,
    contactId: null,
    templateId: null,
    bulkId: null,
    seriesId: null,
    contact: null,
  },
  ...{ title: "", description: "", customerEmail: "", recipientEmail: null, recipientName: null },
  ...{ recipientPhone: null, countryCode: "+1", notificationPreference: "email", reminderFrequency: "none" },
  ...{ language: null, expirationDate: null, expiresAt: null, dueDate: null, overdue: false, timeZone: null },
  ...{ reminderDays: null, subject: null, message: null, submissionToken: "token", status: "pending" },
  ...{ isDraft: false, createdAt: "2026-01-01", updatedAt: "2026-01-01", sentAt: null, completedAt: null },
  ...{ filesDeletedAt: null, filesDeletionAt: null, note: null, unsubscribedAt: null, delivery: null },
  ...{ remindedAt: null, isNew: false, progress: null, documents: [], submissions: [], watching: false },
  ...{ review: { toReview: 0, accepted: 0, returned: 0 }, assignee: member(1), createdBy: member(1) },
};
const documentInResponse = { id: 1, state: "open", skipped: false, reason: null };
/** What a field of an envelope is in the response, where it is something else. */
const IN_RESPONSE: Partial<Record<keyof typeof FILLED_ENVELOPE, object>> = {
  isDraft: { status: "draft" },
  recipientEmail: { customerEmail: FILLED_ENVELOPE.recipientEmail },
  // Of the number, which has it.
  countryCode: { recipientPhone: FILLED_ENVELOPE.recipientPhone },
  // The dialog's title has it otherwise.
  recipientName: { contact: { firstName: FILLED_ENVELOPE.recipientName, lastName: null } },
  documents: { documents: [{ ...FILLED_DOCUMENT, ...documentInResponse }] },
  sendOn: { status: "scheduled", sendOn: FILLED_ENVELOPE.sendOn },
  sendHour: { status: "scheduled", sendOn: FILLED_ENVELOPE.sendOn, sendHour: FILLED_ENVELOPE.sendHour },
};

test.each(Object.entries(FILLED_ENVELOPE))("the details of an envelope show its %s", (field, value) => {
  const show = (shown: object) =>
    renderToStaticMarkup(
      <Form values={{}}>
        <EnvelopeDetail
          envelope={{ ...ENVELOPE, ...shown } as unknown as Envelope}
          review={{ pendingReturns: new Map() } as unknown as Review}
          onAskAgain={ignore}
          onCopy={ignore}
          onDeleted={ignore}
          onDuplicate={ignore}
          onEdit={ignore}
          onSaveTemplate={ignore}
          onReview={ignore}
          onView={ignore}
        />
      </Form>,
    );
  expect(show(IN_RESPONSE[field as keyof typeof FILLED_ENVELOPE] ?? { [field]: value })).not.toBe(show({}));
});

/** The fields that make no difference to what is shown. */
function hidden<Entity extends object>(
  filled: Partial<Entity>,
  blank: Entity,
  show: (entity: Entity) => string,
) {
  const fields = Object.keys(filled) as (keyof Entity)[];
  return fields.filter((field) => show({ ...blank, [field]: filled[field] }) === show(blank));
}
