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

/** The mails sent to the address while the work ran. */
export async function mailsTo(api: Api, address: string, work: () => Promise<unknown>) {
  await api.finishBackgroundWork();
  const before = (await api.mails()).length;
  await work();
  await api.finishBackgroundWork();
  return (await api.mails()).slice(before).filter(({ to }) => to === address);
}
