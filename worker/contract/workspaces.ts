import { z } from "zod";
import { optionalText, requiredText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

export const workspaceInput = z.object({
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
});
