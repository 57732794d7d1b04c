import { readFileSync } from "node:fs";
import { ConfigError, readVariables, VARIABLE_NAMES, type Variables } from "../../config";
import { errorCode } from "./files/disk-errors";

type Environment = Record<string, string | undefined>;

/** The environment's variables. Each can instead be in the file that `NAME_FILE` names. @throws ConfigError */
export function readEnvironment(environment: Environment): Variables {
  const variables = readVariables(withFiles(environment));
  // As in a URL: Bun listens on [::1] too, but an address is put together with the port elsewhere.
  return { ...variables, HOST: variables.HOST.replace(/^\[(.*)\]$/, "$1") };
}

/** The environment with the contents of those files, without their final line break. @throws ConfigError */
export function withFiles(environment: Environment): Environment {
  const read: Environment = { ...environment };
  for (const name of VARIABLE_NAMES) {
    const path = environment[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (environment[name]?.trim())
      throw new ConfigError(`${name} and ${name}_FILE are both set; unset one of them`);
    read[name] = contentOf(name, path);
  }
  return read;
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new ConfigError(
      `${name}_FILE is ${JSON.stringify(path)}, which cannot be read (${errorCode(error)})`,
    );
  }
}
