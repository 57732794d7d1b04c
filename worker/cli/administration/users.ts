import { listAccounts } from "../../../db/queries/accounts";
import { COMMAND, listAuditEntries } from "../../../db/queries/audit-log";
import { readAccountRemoval } from "../../../db/queries/membership";
import { StartError } from "../../adapters/bun/start-error";
import type { AccountRemoval } from "../../contract/administration";
import { LIMITS } from "../../contract/limits";
import { INVITATION_DAYS, LANGUAGES, PROVIDER_NAMES } from "../../contract/options";
import { NO_QUOTA } from "../../contract/quotas";
import {
  changeQuota,
  changeRole,
  createAccount,
  disableAccount,
  enableAccount,
  makeSignInLink,
  readAccountDetail,
  readRemainingAccess,
  removeAccount,
  resetTwoFactor,
  sendPasswordReset,
} from "../../features/administration/accounts.service";
import { Help, pluralize } from "../messages";
import {
  ACCOUNT,
  type Command,
  changed,
  findNamed,
  type Printed,
  requireAccount,
  requireAnotherAdministrator,
  requireProvedAddress,
  requireRoles,
  shown,
  stateOf,
  usageOf,
  viewOf,
} from "./accounts";
import {
  JSON_OPTION,
  LINK_OPTIONS,
  readArguments,
  requireAddress,
  requireLanguage,
  requireWholeNumber,
} from "./arguments";
import type { Operator } from "./operator";
import { size, table, utcTime } from "./text";

const MB = 1024 * 1024;
const MAX_QUOTA_MB = LIMITS.accountQuota / MB;

async function list(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...JSON_OPTION, search: { type: "string" } } as const;
  const usage = usageOf("list", "[--search <text>]");
  const { values } = readArguments(args, { usage, options, names: [] });
  const accounts = [];
  for (let cursor: number | undefined; ; ) {
    const page = { limit: LIMITS.pageMax, cursor, search: values.search };
    const { rows, next } = await listAccounts(operator.db, page);
    accounts.push(...rows.map((row) => viewOf(operator.config, row)));
    if (next === null) break;
    cursor = next;
  }
  const rows = accounts.map((account) => [
    String(account.id),
    account.email,
    stateOf(account),
    String(account.envelopes),
    size(account.storageBytes),
    utcTime(account.lastSeenAt),
  ]);
  const titles = ["ID", "EMAIL", "STATE", "ENVELOPES", "STORAGE", "LAST SEEN"];
  const none = values.search
    ? `No account has ${JSON.stringify(values.search)} in its address or name`
    : "There are no accounts yet";
  const text = rows.length > 0 ? table(titles, rows) : none;
  return { text, json: accounts, asJson: values.json };
}

async function show(operator: Operator, args: string[]): Promise<Printed> {
  const { values, positionals } = readArguments(args, {
    usage: usageOf("show"),
    options: JSON_OPTION,
    names: [ACCOUNT],
  });
  const account = await findNamed(operator, positionals[0]);
  const { secondFactors } = await readAccountDetail(operator, account.id);
  return shown(operator, account, secondFactors, values.json);
}

async function create(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...LINK_OPTIONS, administrator: { type: "boolean", default: false } } as const;
  const usage = usageOf("create", `<email> [--administrator] [--language ${LANGUAGES.join("|")}] [--link]`);
  const { values, positionals } = readArguments(args, { usage, options, names: ["<email>"] });
  const email = requireAddress(positionals[0] ?? "");
  const languagePreference = requireLanguage(values.language);
  if (values.administrator) requireRoles(operator);
  const token = await createAccount(operator, COMMAND, {
    email,
    languagePreference,
    ...(values.administrator && { isAdministrator: true }),
  });
  const link = `${operator.config.publicUrl}/reset/${token}`;
  const account = await requireAccount(operator, email);
  if (!operator.config.allowsPasswords) {
    const text = `The account ${email} was created. Let its owner in with \`users sign-in-link\``;
    return { text, json: viewOf(operator.config, account), asJson: values.json };
  }
  const text = `The account ${email} was created. The server mails it a link to choose a password, which works for ${INVITATION_DAYS} days`;
  return {
    text: values.link ? `${text}:\n${link}` : text,
    json: { ...viewOf(operator.config, account), ...(values.link && { link }) },
    asJson: values.json,
  };
}

async function promote(operator: Operator, args: string[]): Promise<Printed> {
  const usage = usageOf("promote");
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names: [ACCOUNT] });
  requireRoles(operator);
  const account = await requireAccount(operator, positionals[0]);
  requireProvedAddress(operator, account);
  await changeRole(operator, COMMAND, account.id, { isAdministrator: true });
  return changed(operator, account, values.json, `${account.email} is an administrator`);
}

async function demote(operator: Operator, args: string[]): Promise<Printed> {
  const options = { ...JSON_OPTION, force: { type: "boolean", default: false } } as const;
  const usage = usageOf("demote", `${ACCOUNT} [--force]`);
  const { values, positionals } = readArguments(args, { usage, options, names: [ACCOUNT] });
  requireRoles(operator);
  const account = await requireAccount(operator, positionals[0]);
  if (!values.force) await requireAnotherAdministrator(operator, account);
  await changeRole(operator, COMMAND, account.id, { isAdministrator: false });
  return changed(operator, account, values.json, `${account.email} is no longer an administrator`);
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
  const { email } = account;
  if (!values.force) await requireAnotherAdministrator(operator, account);
  if (!values.yes)
    throw new StartError(
      `This would delete ${removalText(email, await readAccountRemoval(operator.db, account.id))}. Nothing was changed; add --yes to delete it for good`,
    );
  await removeAccount(operator, COMMAND, account.id);
  // As the batch that deleted it has found it.
  const { rows } = await listAuditEntries(operator.db, {
    action: "account_deleted",
    person: email,
    limit: 1,
  });
  const removal = rows[0]?.detail as AccountRemoval;
  const text = `Deleted: ${removalText(email, removal)}. The server removes the files`;
  return { text, json: { ...viewOf(operator.config, account), removal }, asJson: values.json };
}

/** What goes with an account, and what stays. */
function removalText(email: string, removal: AccountRemoval): string {
  const { workspaces, envelopes, storageBytes, keptWorkspaces, keptEnvelopes, keptBytes, keptBy } = removal;
  const inside = (count: number, bytes: number) =>
    `${pluralize(count, "envelope")} and ${size(bytes)} of files and texts`;
  const gone = `${email} with ${inside(envelopes, storageBytes)} in ${pluralize(workspaces, "workspace")}`;
  if (keptWorkspaces === 0) return gone;
  return `${gone}; ${pluralize(keptWorkspaces, "shared workspace")} with ${inside(keptEnvelopes, keptBytes)} stay with ${keptBy}`;
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

async function signInLink(operator: Operator, args: string[]): Promise<Printed> {
  const usage = usageOf("sign-in-link");
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names: [ACCOUNT] });
  const { id, email } = await requireAccount(operator, positionals[0]);
  const { token, expiresAt } = await makeSignInLink(operator, COMMAND, id);
  const link = `${operator.config.publicUrl}/sign-in/${token}`;
  const text = `This link signs ${email} in once, until ${utcTime(expiresAt)}. A mail tells the owner that it was made`;
  const remaining = await readRemainingAccess(operator, id);
  return {
    text: `${text}. ${remainingText(remaining)}:\n${link}`,
    json: { email, expiresAt, link, remaining },
    asJson: values.json,
  };
}

async function resetFactors(operator: Operator, args: string[]): Promise<Printed> {
  const usage = usageOf("reset-two-factor");
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names: [ACCOUNT] });
  const account = await requireAccount(operator, positionals[0]);
  await resetTwoFactor(operator, COMMAND, account.id);
  const text = `${account.email} has no authenticator app, recovery codes or passkeys any more, and is told so by mail`;
  const remaining = await readRemainingAccess(operator, account.id);
  const printed = await changed(operator, account, values.json, `${text}. ${remainingText(remaining)}`);
  return { ...printed, json: printed.json && { ...printed.json, remaining } };
}

/** That the sessions have ended, and what gives access without one. */
function remainingText({ apiTokens, providers }: Awaited<ReturnType<typeof readRemainingAccess>>): string {
  const names = (what: string, found: string[]) => `${what}: ${found.join(", ") || "none"}`;
  return `All sessions have ended; what remains is ${names("API tokens", apiTokens)}; ${names(
    "linked services",
    providers.map((provider) => PROVIDER_NAMES[provider]),
  )}`;
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
  create,
  promote,
  demote,
  disable,
  enable,
  delete: remove,
  "reset-password": resetPassword,
  "sign-in-link": signInLink,
  "reset-two-factor": resetFactors,
  "set-quota": setQuota,
};

/** `users list`, `users show` and so on. */
export const users: Command = async (operator, [name = "", ...args]) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const Failure = name === "--help" ? Help : StartError;
  if (!command) throw new Failure(`Usage: users ${Object.keys(COMMANDS).join(" | ")}`);
  return command(operator, args);
};
