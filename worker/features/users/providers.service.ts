import { deleteProvider, listProviders } from "../../../db/queries/identities";
import { SIGN_IN_PROVIDERS, type SignInProvider } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * Unlinks a sign-in provider.
 * @returns the provider
 * @throws AppError `not_found`, `last_sign_in` if it is the only way to sign in
 */
export async function unlinkProvider(
  { db }: Dependencies,
  userId: number,
  name: string,
): Promise<SignInProvider> {
  const provider = SIGN_IN_PROVIDERS.find((known) => known === name);
  if (!provider) throw appError("not_found");
  if (await deleteProvider(db, userId, provider)) return provider;
  const linked = await listProviders(db, userId);
  throw appError(linked.some((entry) => entry.provider === provider) ? "last_sign_in" : "not_found");
}
