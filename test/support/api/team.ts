import { expect } from "bun:test";
import type { Role } from "../../../worker/contract/options";
import type { Api, SignedUp } from "./client";
import { mailedTokens } from "./mailed-links";

/** Invites an address to the owner's first workspace. @returns the token of the mailed link */
export async function inviteTo(api: Api, owner: SignedUp, email: string, role: Role): Promise<string> {
  const path = `/api/workspaces/${owner.workspaceId}/invitations`;
  const { status } = await owner.post(path, { email, role });
  expect(status).toBe(201);
  return (await mailedTokens(api, "invite", email)).at(-1) ?? "";
}

/** A new account that joins the owner's first workspace by invitation. */
export async function joinAs(api: Api, owner: SignedUp, role: Role): Promise<SignedUp> {
  const person = await api.signUp();
  const token = await inviteTo(api, owner, person.email, role);
  expect((await person.post("/api/invitations/join", { token })).status).toBe(200);
  return person;
}
