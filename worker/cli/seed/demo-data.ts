import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../contract/documents";
import type { EnvelopeStatus, ReminderFrequency } from "../../contract/options";
import type { TemplateFields } from "../../contract/templates";

/** The data of a fictional accountant. Addresses end in example.com, which receives no mail. */

const entry = (
  name: string,
  required: boolean,
  types: string[],
  description: string | null = null,
): DocumentEntry => ({
  ...DOCUMENT_DEFAULTS,
  name,
  description,
  required,
  allowedFileTypes: types,
});

const question = (name: string, kind: DocumentEntry["kind"]): DocumentEntry => ({
  ...DOCUMENT_DEFAULTS,
  name,
  kind,
});

const SCANS = ["pdf", "jpg", "jpeg", "png"];
const PAPERS = ["pdf", "doc", "docx"];

export const DEMO_USER = {
  email: "demo@example.com",
  password: "demodemo",
  firstName: "Astrid",
  lastName: "Holm",
  companyName: "Holm & Partners Accounting",
  phoneNumber: "+15550142368",
};

export const DEMO_WORKSPACES = [
  { name: "My Workspace", description: "Clients of the practice" },
  { name: "Hiring", description: "Papers of people who are about to join" },
];

export const DEMO_CONTACTS = [
  {
    firstName: "Mateo",
    lastName: "Alvarez",
    company: "Alvarez Bakery",
    phone: "+15550170011",
    notes: "Prefers mornings",
    folder: "Clients/1011",
    tags: ["Monthly books"],
  },
  { firstName: "Ingrid", lastName: "Sørensen", company: "Fjord Studio", phone: "+442079460018", notes: null },
  { firstName: "Wei", lastName: "Zhang", company: null, phone: "+8613800138000", notes: null },
  {
    firstName: "Priya",
    lastName: "Raman",
    company: "Raman Dental",
    phone: "+919876543210",
    notes: "Books close in March",
    tags: ["Monthly books", "Tax return"],
  },
  {
    firstName: "Claire",
    lastName: "Fontaine",
    company: "Atelier Fontaine",
    phone: "+33142685300",
    notes: null,
    language: "fr" as const,
  },
  {
    firstName: "Jonas",
    lastName: "Becker",
    company: "Becker Metallbau GmbH & Co. KG",
    phone: "+493012345678",
    notes: null,
  },
  { firstName: "Yuki", lastName: "Tanaka", company: null, phone: null, notes: null },
  {
    firstName: "Olivia",
    lastName: "Brown",
    company: "Brown & Daughters",
    phone: "+61291234567",
    notes: null,
  },
];

export const DEMO_TEMPLATES: (Pick<TemplateFields, "name" | "description" | "fields"> &
  Partial<TemplateFields>)[] = [
  {
    name: "Annual tax return",
    description: "What we need from each client in January",
    subject: "Tax return {lastYear}",
    message: "Dear {firstName},\n\nplease send us the documents below by {dueDate}.",
    language: "en",
    notificationPreference: "email",
    reminderFrequency: "none",
    reminderDays: [7, 1, -1],
    dueInDays: 30,
    expiresInDays: 60,
    fields: [
      entry("Income statement", true, PAPERS, "The one your employer or platform sent"),
      entry("Bank interest certificate", true, SCANS),
      entry("Donation receipts", false, SCANS, "All in one file, please"),
    ],
  },
  {
    name: "New client",
    description: "Identity and mandate",
    fields: [
      entry("Passport or identity card", true, SCANS, "Both sides"),
      entry("Signed mandate", true, ["pdf"]),
      entry("Company register extract", false, ["pdf"]),
    ],
  },
  {
    name: "Monthly bookkeeping",
    description: null,
    fields: [entry("Bank statements", true, ["pdf", "csv"]), entry("Receipts", true, [...SCANS, "zip"])],
  },
  {
    name: "Apartment application",
    description: "For landlords among our clients",
    fields: [
      entry("Proof of income", true, PAPERS, "The last three months"),
      entry("Landlord reference", false, PAPERS),
    ],
  },
  {
    name: "Tax organizer",
    description: "Questions beside the papers; foreign income only where there is any",
    fields: [
      { ...question("Did you have income from abroad?", "yesNo"), required: true },
      {
        ...entry("Statement of foreign income", true, PAPERS),
        showIf: { name: "Did you have income from abroad?", is: ["yes"] },
      },
      { ...question("Children who live with you", "number"), decimals: 0, min: "0", max: "20" },
      { ...question("Bank account for the refund", "text"), format: "iban", confidential: true },
      entry("Income statement", true, PAPERS),
    ],
  },
];

export type DemoEnvelope = {
  contact: number;
  template: number;
  status: EnvelopeStatus;
  subject: string;
  message: string | null;
  /** Days since its creation, and days until it expires. */
  age: number;
  ends: number | null;
  reminders: ReminderFrequency;
  workspace: number;
};

const envelope = (
  contact: number,
  template: number,
  status: EnvelopeStatus,
  subject: string,
  age: number,
  rest: Partial<DemoEnvelope> = {},
): DemoEnvelope => ({
  contact,
  template,
  status,
  subject,
  age,
  message: null,
  ends: null,
  reminders: "none",
  workspace: 0,
  ...rest,
});

export const DEMO_ENVELOPES: DemoEnvelope[] = [
  envelope(0, 0, "pending", "Your tax return", 3, {
    ends: 12,
    reminders: "weekly",
    message:
      "Dear Mateo, it is that time of the year again. Photographs are fine as long as they can be read.",
  }),
  envelope(1, 1, "completed", "Welcome to Holm & Partners", 21),
  envelope(2, 1, "pending", "Opening your file with us", 1, { ends: 30, reminders: "daily" }),
  envelope(3, 2, "completed", "Bookkeeping for October", 34, {
    message: "Thank you for being quick last month.",
  }),
  envelope(3, 2, "pending", "Bookkeeping for November", 2, { ends: 9, reminders: "weekly" }),
  envelope(4, 0, "expired", "Documents for last year's return", 80, { ends: -20 }),
  envelope(5, 1, "draft", "Neue Mandatsunterlagen für die Umstrukturierung der Gesellschaft", 0),
  envelope(6, 3, "pending", "Your application for Elm Street 12", 6, { reminders: "monthly" }),
  envelope(7, 0, "completed", "Your tax return", 55),
  envelope(0, 2, "completed", "Bookkeeping for September", 63),
  envelope(4, 3, "draft", "Reference from your last landlord", 4),
  envelope(6, 1, "pending", "Before your first day", 1, { workspace: 1, ends: 14 }),
  envelope(2, 1, "completed", "Before your first day", 40, { workspace: 1 }),
];
