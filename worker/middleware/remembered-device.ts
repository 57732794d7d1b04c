import { getCookie, setCookie } from "hono/cookie";
import type { Condition } from "../../db/queries/guard";
import {
  insertDevice,
  isRemembered,
  remembersDevice,
  renewDevice,
} from "../../db/queries/remembered-devices";
import type { User } from "../../db/queries/users";
import { REMEMBERED_DAYS } from "../contract/options";
import { parseAccounts, withAccount } from "../features/auth/known-browser";
import { DAY_MS } from "../lib/durations";
import { hashToken, randomToken } from "../lib/tokens";
import type { AppContext } from "./api-token";
import { isHttps } from "./session";

const PATH = "/api/login";
const LIFETIME_MS = REMEMBERED_DAYS * DAY_MS;

/** The statements of a sign-in that depends on the device, and what to do once they have succeeded. */
type DeviceUse = { statements: ReturnType<typeof insertDevice>; writeCookie: () => void };

/** Signs in without a second factor in a browser that the account remembers, and renews it; undefined in another one. */
export async function signInByDevice(
  c: AppContext,
  user: User,
): Promise<(DeviceUse & { isRemembered: Condition }) | undefined> {
  const { db, clock } = c.var.deps;
  const token = readDevices(c).get(user.id);
  if (!token) return undefined;
  const now = clock.now();
  const usedAt = now.toISOString();
  const tokenHash = await hashToken(token);
  if (!(await isRemembered(db, user.id, tokenHash, usedAt))) return undefined;
  return {
    isRemembered: remembersDevice(user.id, tokenHash, usedAt),
    statements: [renewDevice(db, user.id, tokenHash, { usedAt, expiresAt: expiryOf(now) })],
    writeCookie: () => writeDevices(c, user.id, token),
  };
}

/** Remembers this browser for the account. */
export async function rememberDevice(c: AppContext, { id }: User, userAgent: string): Promise<DeviceUse> {
  const { db, clock } = c.var.deps;
  const token = randomToken();
  const now = clock.now();
  const at = now.toISOString();
  const device = { tokenHash: await hashToken(token), userAgent, createdAt: at, usedAt: at };
  return {
    statements: insertDevice(db, { ...device, userId: id, expiresAt: expiryOf(now) }),
    writeCookie: () => writeDevices(c, id, token),
  };
}

const expiryOf = (now: Date) => new Date(now.getTime() + LIFETIME_MS).toISOString();

/** The browser's token for each account, by its id. */
const readDevices = (c: AppContext) => parseAccounts(getCookie(c, cookieName(c)));

function writeDevices(c: AppContext, userId: number, token: string): void {
  setCookie(c, cookieName(c), withAccount(readDevices(c), userId, token), {
    httpOnly: true,
    sameSite: "Lax",
    path: PATH,
    secure: isHttps(c),
    maxAge: LIFETIME_MS / 1000,
  });
}

const cookieName = (c: AppContext) => (isHttps(c) ? "__Secure-remembered-device" : "remembered-device");
