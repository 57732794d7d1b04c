import { LAST_MIGRATION } from "../../../db/version";
import { readEnvironment } from "../../adapters/bun/environment";
import { readRevision } from "../../adapters/bun/revision";
import { ConfigError, type Variables } from "../../config";
import { PRODUCT_NAME } from "../../contract/product";
import { nameVersion } from "../../lib/version";
import { checkAdministrators, checkIssuer, checkSignIn, checkWorkspaces } from "./accounts";
import { checkBackups } from "./backups";
import { checkConfiguration } from "./configuration";
import { checkDatabase } from "./database";
import { checkDestinations } from "./destinations";
import { type Finding, findingsOf } from "./finding";
import { checkPermissions } from "./permissions";
import { checkClock, checkSchedules } from "./schedules";
import { checkSecretKey } from "./secret-key";
import { checkMail, checkScanner, checkSms } from "./senders";
import { checkServer } from "./server";
import { checkStore } from "./store";

/** Checks everything the app needs, whether or not a server is running, and changes nothing. */
export async function runDoctor(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let variables: Variables;
  try {
    variables = readEnvironment(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return findingsOf("Configuration").failure(
      error.message,
      "correct the variable; nothing else was checked",
    );
  }
  const database = await checkDatabase(variables);
  try {
    return [
      ...findingsOf("Version").ok(
        `this is ${PRODUCT_NAME} ${nameVersion(readRevision())}, with the schema ${LAST_MIGRATION}`,
      ),
      ...checkConfiguration(variables, environment),
      ...database.findings,
      ...(await checkAdministrators(variables, database.db)),
      ...(await checkSignIn(variables, database.db)),
      ...(await checkIssuer(variables)),
      ...(await checkWorkspaces(database.db)),
      ...(await checkClock(database.db)),
      ...(await checkSchedules(database.db)),
      ...(await checkStore(variables, database.db)),
      ...(await checkPermissions(variables)),
      ...(await checkSecretKey(variables, database.db)),
      ...(await checkBackups(variables, database.db)),
      ...(await checkDestinations(variables, database.db)),
      ...(await checkMail(variables)),
      ...(await checkSms(variables)),
      ...(await checkScanner(variables)),
      ...(await checkServer(variables)),
    ];
  } finally {
    database.close();
  }
}
