import * as z from "zod/mini";
import { requiredText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

/** A message from the help chat. */
export const supportInput = z.object({ message: requiredText(LIMITS.text, MESSAGES.messageRequired) });
