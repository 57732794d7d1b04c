import type { Api } from "./client";

/** The tokens of the links of this kind mailed to the address, oldest first. */
export async function mailedTokens(
  api: Pick<Api, "finishBackgroundWork" | "mails" | "origin">,
  kind: "reset" | "verify" | "revert-email" | "release-email" | "restore-owner" | "invite",
  email: string,
): Promise<string[]> {
  await api.finishBackgroundWork();
  const link = new RegExp(`${api.origin}/${kind}/([\\w-]+)`);
  const mails = (await api.mails()).filter(({ to }) => to === email);
  return mails.flatMap(({ text }) => link.exec(text)?.[1] ?? []);
}
