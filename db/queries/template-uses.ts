import { and, eq } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { templateUses } from "../schema";
import type { EnvelopeId } from "./envelopes";
import { ownTemplate } from "./templates";

/** Records that the envelope uses the template, which then cannot be deleted. */
export function insertTemplateUse(
  db: Database,
  use: Omit<typeof templateUses.$inferInsert, "id" | "envelopeId"> & { envelopeId: EnvelopeId },
): Statement {
  return db.insert(templateUses).values({ ...use, templateId: ownTemplate(use.userId, use.templateId) });
}

export function deleteTemplateUse(db: Database, userId: number, envelopeId: number): Statement {
  return db
    .delete(templateUses)
    .where(and(eq(templateUses.userId, userId), eq(templateUses.envelopeId, envelopeId)));
}

/** Whether a batch failed because the template of `insertTemplateUse` no longer exists. */
export const isTemplateMissing = (error: unknown) => violates(error, "not null", templateUses.templateId);
