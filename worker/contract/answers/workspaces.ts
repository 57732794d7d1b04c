import * as z from "zod";
import { documentAnswer } from "../documents";
import { RETENTION_DAYS } from "../options";
import { count, id, moment, text } from "./fields";

const Workspace = z.object({
  id,
  name: text,
  description: text.nullable(),
  userId: id,
  createdAt: moment,
  updatedAt: moment,
  retentionDays: z.literal(RETENTION_DAYS).nullable(),
  fileNameRule: text.nullable(),
});

const Contact = z.object({
  id,
  userId: id,
  workspaceId: id,
  firstName: text,
  lastName: text.nullable(),
  email: text.nullable(),
  phone: text.nullable(),
  company: text.nullable(),
  notes: text.nullable(),
  createdAt: moment,
  updatedAt: moment,
});

const Template = z.object({
  id,
  userId: id,
  workspaceId: id,
  name: text,
  description: text.nullable(),
  fields: z.array(z.object(documentAnswer)),
  createdAt: moment,
});

const RetentionReach = z.object({
  files: count.describe("Existing files of completed envelopes"),
  envelopes: count.describe("Completed envelopes with such files"),
  firstDeletionAt: moment.nullable().describe("Null if there are none"),
});

export const WORKSPACE_ANSWERS = { Workspace, Contact, Template, RetentionReach };
