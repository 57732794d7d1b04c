import { deleteTemplate, isTemplateInUse } from "../../../db/queries/templates";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/** @throws AppError `template_in_use` while envelopes use it, `template_not_found` */
export async function removeTemplate({ db }: Dependencies, userId: number, id: number): Promise<void> {
  const deleted = await deleteTemplate(db, userId, id).catch((error: unknown) => {
    throw isTemplateInUse(error) ? appError("template_in_use") : error;
  });
  if (!deleted) throw appError("template_not_found");
}
