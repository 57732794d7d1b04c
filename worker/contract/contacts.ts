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

/** What is absent stays as it is; null clears. A contact keeps its workspace. */
export const contactChanges = z.object(fields).partial();
