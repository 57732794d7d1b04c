import { existsSync } from "node:fs";
import { createBackgroundTasks } from "../adapters/bun/background-tasks";
import { loadErrorTexts, loadMailTexts } from "../adapters/bun/messages/mail-texts";
import { holdFile, openResources } from "../adapters/bun/resources";
import { createSha256 } from "../adapters/bun/sha256";
import type { Variables } from "../config";
import type { AlertCause } from "../contract/alerts";
import { beginAlert } from "../features/administration/alerts.service";
import { sendDue } from "../features/notifications/messages.sender";
import { describeApi } from "../features/openapi/describe-api";
import { createScryptHasher } from "../lib/password";
import { createProcessMemory } from "../process-memory";
import { operatorOf } from "./administration/operator";
import { checkReadiness } from "./doctor/server";

/** Tells the administrators of a cause. While no server runs, this process sends what is due. @returns who sends it */
export async function alertAdministrators(variables: Variables, cause: AlertCause): Promise<string> {
  const operator = operatorOf(variables);
  const environment = { clock: operator.clock, log: operator.log, rulesInMemory: [] };
  const { close, ...resources } = await openResources(variables, environment);
  try {
    await beginAlert({ ...operator, db: resources.db }, cause);
    const { state } = await checkReadiness(variables);
    if (existsSync(holdFile(variables))) return "Messages are held, so the administrators are not mailed";
    if (state !== "silent") return "The server mails the administrators";
    await sendDue({
      ...{ ...operator, ...resources, background: createBackgroundTasks(operator.log) },
      ...{ memory: createProcessMemory(), createSha256, passwordHasher: createScryptHasher() },
      ...{ loadMailTexts, loadErrorTexts, loadApiDescription: describeApi },
    });
    return "The administrators were mailed, if the mail server can be reached";
  } finally {
    close();
  }
}
