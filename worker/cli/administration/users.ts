import {
  type Account,
  findAccount,
  findAccountByEmail,
  listAccounts,
  listPossibleAdministrators,
} from "../../../db/queries/accounts";
import { COMMAND } from "../../../db/queries/audit-log";
import { StartError } from "../../adapters/bun/start-error";
import { LIMITS } from "../../contract/limits";
import { NO_QUOTA } from "../../contract/quotas";
import {
  accountView,
  changeQuota,
  disableAccount,
  enableAccount,
  removeAccount,
  sendPasswordReset,
} from "../../features/administration/accounts.service";
import { isAdministrator } from "../../lib/administrators";
import { pluralize } from "../messages";
import { JSON_OPTION, readArguments, requireAddress, requireWholeNumber } from "./arguments";
import type { Operator } from "./operator";
import { facts, moment, size, table } from "./text";

const MB = 1024 * 1024;
const MAX_QUOTA_MB = LIMITS.accountQuota / MB;

/** What a command prints: readable text, or the value as JSON. */
export type Printed = { text: string; json: unknown; asJson: boolean };
export type Command = (operator: Operator, args: string[]) => Promise<Printed>;

const ACCOUNT = "<email or id>";
const usageOf = (command: string, rest = ACCOUNT) => `users ${command} ${rest} [--json]`;

async function list(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...JSON_OPTION, search: { type: "string" } } as const;
  const usage = usageOf("list", "[--search <text>]");
  const { values } = readArguments(args, { usage, options, names: [] });
  const accounts = [];
  for (let cursor: number | undefined; ; ) {
    const page = { limit: LIMITS.pageMax, cursor, search: values.search };
    const { rows, next } = await listAccounts(operator.db, page);
    accounts.push(...rows.map((row) => accountView(operator.config, row)));
    if (next === null) break;
    cursor = next;
  }
  const rows = accounts.map((account) => [
    String(account.id),
    account.email,
    stateOf(account),
    String(account.envelopes),
    size(account.storageBytes),
    moment(account.lastSeenAt),
  ]);
  const titles = ["ID", "EMAIL", "STATE", "ENVELOPES", "STORAGE", "LAST SEEN"];
  const text = rows.length > 0 ? table(titles, rows) : "There are no such accounts";
  return { text, json: accounts, asJson: values.json };
}

async function show(operator: Operator, args: string[]): Promise<Printed> {
  const { values, positionals } = readArguments(args, {
    usage: usageOf("show"),
    options: JSON_OPTION,
    names: [ACCOUNT],
  });
  return shown(operator, await requireAccount(operator, positionals[0]), values.json);
}

async function disable(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...JSON_OPTION, force: { type: "boolean", default: false } } as const;
  const usage = usageOf("disable", `${ACCOUNT} [--force]`);
  const { values, positionals } = readArguments(args, { usage, options, names: [ACCOUNT] });
  const account = await requireAccount(operator, positionals[0]);
  if (!values.force) await requireAnotherAdministrator(operator, account);
  await disableAccount(operator, COMMAND, account.id);
  return changed(operator, account, values.json, `${account.email} is disabled and signed out everywhere`);
}

async function enable(operator: Operator, args: string[]): Promise<Printed> {
  const { values, positionals } = readArguments(args, {
    usage: usageOf("enable"),
    options: JSON_OPTION,
    names: [ACCOUNT],
  });
  const account = await requireAccount(operator, positionals[0]);
  await enableAccount(operator, COMMAND, account.id);
  return changed(operator, account, values.json, `${account.email} can sign in again`);
}

async function remove(operator: Operator, args: string[]): Promise<Printed> {
  const options = {
    ...JSON_OPTION,
    yes: { type: "boolean", default: false },
    force: { type: "boolean", default: false },
  } as const;
  const usage = usageOf("delete", `${ACCOUNT} --yes [--force]`);
  const { values, positionals } = readArguments(args, { usage, options, names: [ACCOUNT] });
  const account = await requireAccount(operator, positionals[0]);
  const { email, envelopes, storageBytes } = account;
  if (!values.force) await requireAnotherAdministrator(operator, account);
  const what = `${email} with ${pluralize(envelopes, "envelope")} and ${size(storageBytes)} of files`;
  if (!values.yes)
    throw new StartError(`This would delete ${what}. Nothing was changed; add --yes to delete it for good`);
  await removeAccount(operator, COMMAND, account.id);
  const text = `${what} is deleted; the server removes the files`;
  return { text, json: accountView(operator.config, account), asJson: values.json };
}

async function resetPassword(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...JSON_OPTION, link: { type: "boolean", default: false } } as const;
  const usage = usageOf("reset-password", `${ACCOUNT} [--link]`);
  const { values, positionals } = readArguments(args, { usage, options, names: [ACCOUNT] });
  const { id, email } = await requireAccount(operator, positionals[0]);
  const token = await sendPasswordReset(operator, COMMAND, id);
  const link = `${operator.config.publicUrl}/reset/${token}`;
  const text = `The server mails ${email} a link to choose a new password. It works for one hour`;
  return {
    text: values.link ? `${text}:\n${link}` : text,
    json: { email, ...(values.link && { link }) },
    asJson: values.json,
  };
}

async function setQuota(operator: Operator, args: string[]): Promise<Printed> {
  const names = [ACCOUNT, "<MB | unlimited | default>"] as const;
  const usage = usageOf("set-quota", names.join(" "));
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names });
  const account = await requireAccount(operator, positionals[0]);
  const limit = positionals[1] ?? "";
  const bytes =
    limit === "default"
      ? null
      : limit === "unlimited"
        ? NO_QUOTA
        : requireWholeNumber(limit, "The quota in MB", { min: 0, max: MAX_QUOTA_MB }) * MB;
  await changeQuota(operator, COMMAND, account.id, bytes);
  return changed(
    operator,
    account,
    values.json,
    `The quota of ${account.email} is ${limit === "default" ? "that of the instance" : bytes === NO_QUOTA ? "unlimited" : `${limit} MB`}`,
  );
}

const COMMANDS: Record<string, Command> = {
  list,
  show,
  disable,
  enable,
  delete: remove,
  "reset-password": resetPassword,
  "set-quota": setQuota,
};

/** `users list`, `users show` and so on. */
export const users: Command = async (operator, [name = "", ...args]) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new StartError(`Usage: users ${Object.keys(COMMANDS).join(" | ")}`);
  return command(operator, args);
};

/** @throws StartError */
async function requireAccount({ db }: Operator, reference = ""): Promise<Account> {
  const found = /^\d{1,15}$/.test(reference)
    ? await findAccount(db, Number(reference))
    : await findAccountByEmail(db, requireAddress(reference));
  if (!found) throw new StartError(`There is no account ${reference}; \`users list\` shows all of them`);
  return found;
}

/** @throws StartError if the account is the only administrator */
async function requireAnotherAdministrator({ db, config }: Operator, account: Account): Promise<void> {
  const possible = await listPossibleAdministrators(db, config.adminEmails);
  const administrators = possible.filter((user) => isAdministrator(config, user));
  if (administrators.length === 1 && administrators[0]?.id === account.id)
    throw new StartError(
      `${account.email} is the only administrator. Name another in ADMIN_EMAILS first, or add --force`,
    );
}

async function changed(operator: Operator, { id }: Account, asJson: boolean, text: string): Promise<Printed> {
  const now = await findAccount(operator.db, id);
  return { text, json: now && accountView(operator.config, now), asJson };
}

function shown({ config }: Operator, account: Account, asJson: boolean): Printed {
  const view = accountView(config, account);
  const name = [view.firstName, view.lastName].filter(Boolean).join(" ");
  const text = facts([
    ["ID", String(view.id)],
    ["Email", `${view.email}${view.isVerified ? "" : " (not verified)"}`],
    ["Name", name || "-"],
    ["State", stateOf(view)],
    ["Created", moment(view.createdAt)],
    ["Last seen", moment(view.lastSeenAt)],
    ["Envelopes", String(view.envelopes)],
    [
      "Storage",
      `${size(view.storageBytes)}, ${view.storageLimit === null ? "no limit" : `limit ${size(view.storageLimit)}`}`,
    ],
  ]);
  return { text, json: view, asJson };
}

function stateOf({ disabledAt, isAdministrator }: { disabledAt: string | null; isAdministrator: boolean }) {
  return disabledAt === null ? (isAdministrator ? "administrator" : "active") : "disabled";
}
