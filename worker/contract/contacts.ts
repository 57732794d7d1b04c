import * as z from "zod";
import { optionalEmail, optionalText, requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

const fields = {
  firstName: requiredText(LIMITS.name, MESSAGES.firstNameRequired),
  lastName: optionalText(LIMITS.name),
  email: optionalEmail(),
  phone: optionalText(LIMITS.phone),
  company: optionalText(LIMITS.name),
  notes: optionalText(LIMITS.text),
};

export const contactInput = z.object({ ...fields, workspaceId: rowId.nullish() });

/** Absent fields stay unchanged; null clears. A contact stays in its workspace. */
export const contactChanges = z.object(fields).partial();
