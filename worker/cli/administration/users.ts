import { type Account, findAccount, listAccounts } from "../../../db/queries/accounts";
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
import { pagesOf } from "../../lib/pages";
import { pluralize } from "../messages";
import {
  type Command,
  findNamed,
  type Printed,
  requireAccount,
  requireAnotherAdministrator,
  requireProvedAddress,
  requireRoles,
  shown,
  stateOf,
  subcommands,
  viewOf,
  withLink,
} from "./accounts";
import {
  FLAG,
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

const ACCOUNT = "<email or id>";
const usageOf = (command: string, rest = ACCOUNT) => `users ${command} ${rest} [--json]`;

const list: Command = async (operator, args) => {
  const options = { ...JSON_OPTION, search: { type: "string" } } as const;
  const usage = usageOf("list", "[--search <text>]");
  const { search } = readArguments(args, { usage, options, names: [] }).values;
  const pages = pagesOf((cursor?: number) =>
    listAccounts(operator.db, { limit: LIMITS.pageMax, cursor, search }),
  );
  const found = (await Array.fromAsync(pages)).flat();
  const accounts = found.map((account) => viewOf(operator.config, account));
  const rows = accounts.map((account) => [
    String(account.id),
    account.email,
    stateOf(account),
    String(account.envelopes),
    size(account.storageBytes),
    utcTime(account.lastSeenAt),
  ]);
  const titles = ["ID", "EMAIL", "STATE", "ENVELOPES", "STORAGE", "LAST SEEN"];
  const none = search
    ? `No account has ${JSON.stringify(search)} in its address or name`
    : "There are no accounts yet";
  return { text: rows.length > 0 ? table(titles, rows) : none, json: accounts };
};

const show: Command = async (operator, args) => {
  const given = { usage: usageOf("show"), options: JSON_OPTION, names: [ACCOUNT] };
  const account = await findNamed(operator, readArguments(args, given).positionals[0]);
  const { secondFactors } = await readAccountDetail(operator, account.id);
  return shown(operator, account, secondFactors);
};

const create: Command = async (operator, args) => {
  const options = { ...LINK_OPTIONS, administrator: FLAG } as const;
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
  const json = viewOf(operator.config, await requireAccount(operator, email));
  if (!operator.config.allowsPasswords)
    return { text: `The account ${email} was created. Let its owner in with \`users sign-in-link\``, json };
  const text = `The account ${email} was created. The server mails it a link to choose a password, which works for ${INVITATION_DAYS} days`;
  return withLink(`${operator.config.publicUrl}/reset/${token}`, values.link, { text, json });
};

type More = {
  /** The usage behind the command's name, if it is not the account, the argument and optional flags. */
  rest?: string;
  /** The argument behind the account. */
  argument?: string;
  /** Checks what does not depend on the account. */
  check?: (operator: Operator) => void;
};
type Given<Flag extends string> = { [Name in Flag]: boolean } & { argument: string };

/** A command about an account that is not being deleted. Of one that returns a sentence, the JSON is the account afterwards. */
const onAccount =
  <Flag extends string>(
    command: string,
    flags: readonly Flag[],
    run: (operator: Operator, account: Account, given: Given<Flag>) => Promise<string | Printed>,
    { argument, check, rest }: More = {},
  ): Command =>
  async (operator, args) => {
    const names = [ACCOUNT, argument].filter((name) => name !== undefined);
    const usage = usageOf(command, rest ?? [...names, ...flags.map((flag) => `[--${flag}]`)].join(" "));
    const options = { ...JSON_OPTION, ...Object.fromEntries(flags.map((flag) => [flag, FLAG])) };
    const { values, positionals } = readArguments(args, { usage, options, names });
    check?.(operator);
    const account = await requireAccount(operator, positionals[0]);
    const given = { ...values, argument: positionals[1] ?? "" } as Given<Flag>;
    const done = await run(operator, account, given);
    if (typeof done !== "string") return done;
    const now = await findAccount(operator.db, account.id);
    return { text: done, json: now && viewOf(operator.config, now) };
  };

const promote = onAccount(
  "promote",
  [],
  async (operator, account) => {
    if (account.isAdministrator) return `${account.email} is an administrator already`;
    requireProvedAddress(operator, account);
    await changeRole(operator, COMMAND, account.id, { isAdministrator: true });
    return `${account.email} is an administrator`;
  },
  { check: requireRoles },
);

const demote = onAccount(
  "demote",
  ["force"],
  async (operator, account, { force }) => {
    if (!account.isAdministrator) return `${account.email} is no administrator`;
    if (!force) await requireAnotherAdministrator(operator, account);
    await changeRole(operator, COMMAND, account.id, { isAdministrator: false });
    return `${account.email} is no longer an administrator`;
  },
  { check: requireRoles },
);

const disable = onAccount("disable", ["force"], async (operator, account, { force }) => {
  if (!force) await requireAnotherAdministrator(operator, account);
  await disableAccount(operator, COMMAND, account.id);
  return `${account.email} is disabled and signed out everywhere`;
});

const enable = onAccount("enable", [], async (operator, { id, email, disabledAt }) => {
  if (disabledAt === null) return `${email} is not disabled`;
  await enableAccount(operator, COMMAND, id);
  return `${email} can sign in again`;
});

const remove = onAccount(
  "delete",
  ["yes", "force"],
  async (operator, account, { yes, force }) => {
    const { email } = account;
    if (!force) await requireAnotherAdministrator(operator, account);
    if (!yes)
      throw new StartError(
        `This would delete ${removalText(email, await readAccountRemoval(operator.db, account.id))}. Nothing was changed; add --yes to delete it for good`,
      );
    await removeAccount(operator, COMMAND, account.id);
    // As the batch that deleted it has found it.
    const deleted = { action: "account_deleted", person: email, limit: 1 } as const;
    const { rows } = await listAuditEntries(operator.db, deleted);
    const removal = rows[0]?.detail as AccountRemoval;
    const text = `Deleted: ${removalText(email, removal)}. The server removes the files`;
    return { text, json: { ...viewOf(operator.config, account), removal } };
  },
  { rest: `${ACCOUNT} --yes [--force]` },
);

/** What goes with an account, and what stays. */
function removalText(email: string, removal: AccountRemoval): string {
  const { workspaces, envelopes, storageBytes, keptWorkspaces, keptEnvelopes, keptBytes, keptBy } = removal;
  const inside = (count: number, bytes: number) =>
    `${pluralize(count, "envelope")} and ${size(bytes)} of files and texts`;
  const gone = `${email} with ${inside(envelopes, storageBytes)} in ${pluralize(workspaces, "workspace")}`;
  if (keptWorkspaces === 0) return gone;
  return `${gone}; ${pluralize(keptWorkspaces, "shared workspace")} with ${inside(keptEnvelopes, keptBytes)} stay with ${keptBy}`;
}

const resetPassword = onAccount("reset-password", ["link"], async (operator, { id, email }, { link }) => {
  const token = await sendPasswordReset(operator, COMMAND, id);
  const text = `The server mails ${email} a link to choose a new password. It works for one hour`;
  return withLink(`${operator.config.publicUrl}/reset/${token}`, link, { text, json: { email } });
});

const signInLink = onAccount("sign-in-link", [], async (operator, { id, email }) => {
  const { token, expiresAt } = await makeSignInLink(operator, COMMAND, id);
  const link = `${operator.config.publicUrl}/sign-in/${token}`;
  const text = `This link signs ${email} in once, until ${utcTime(expiresAt)}. A mail tells the owner that it was made`;
  const remaining = await readRemainingAccess(operator, id);
  const json = { email, expiresAt, link, remaining };
  return { text: `${text}. ${remainingText(remaining)}:\n${link}`, json };
});

const resetFactors = onAccount("reset-two-factor", [], async (operator, { id, email }) => {
  await resetTwoFactor(operator, COMMAND, id);
  const text = `${email} has no authenticator app, recovery codes or passkeys any more, and is told so by mail`;
  const remaining = await readRemainingAccess(operator, id);
  const now = await findAccount(operator.db, id);
  const json = now && { ...viewOf(operator.config, now), remaining };
  return { text: `${text}. ${remainingText(remaining)}`, json };
});

/** That the sessions have ended, and what gives access without one. */
function remainingText({ apiTokens, providers }: Awaited<ReturnType<typeof readRemainingAccess>>): string {
  const names = (what: string, found: string[]) => `${what}: ${found.join(", ") || "none"}`;
  return `All sessions have ended; what remains is ${names("API tokens", apiTokens)}; ${names(
    "linked services",
    providers.map((provider) => PROVIDER_NAMES[provider]),
  )}`;
}

const setQuota = onAccount(
  "set-quota",
  [],
  async (operator, { id, email }, { argument: limit }) => {
    const bytes =
      limit === "default"
        ? null
        : limit === "unlimited"
          ? NO_QUOTA
          : requireWholeNumber(limit, "The quota in MB", { min: 0, max: MAX_QUOTA_MB }) * MB;
    await changeQuota(operator, COMMAND, id, bytes);
    return `The quota of ${email} is ${limit === "default" ? "that of the instance" : bytes === NO_QUOTA ? "unlimited" : `${limit} MB`}`;
  },
  { argument: "<MB | unlimited | default>" },
);

/** `users list`, `users show` and so on. */
export const users = subcommands("users", {
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
});
