import type { ComponentType } from "react";
import type { LinkView } from "./auth-url";
import { InvitePage } from "./invite-page";
import {
  ReleaseEmailPage,
  ResetPage,
  RestoreOwnerPage,
  RevertEmailPage,
  SetupPage,
  SignInLinkPage,
  UnsubscribePage,
  VerifyPage,
} from "./link-pages";

export { PasskeyFailure } from "../../components/ui/passkey-failure";
export { ForgotForm, SignUpByMailForm } from "./forgot-form";
export { ProviderConfirmation } from "./provider-confirmation";
export { SecondStepForm } from "./second-step";

export const LINK_PAGES: Record<LinkView, ComponentType<{ token: string }>> = {
  reset: ResetPage,
  verify: VerifyPage,
  "revert-email": RevertEmailPage,
  "release-email": ReleaseEmailPage,
  "restore-owner": RestoreOwnerPage,
  invite: InvitePage,
  setup: SetupPage,
  "sign-in": SignInLinkPage,
  unsubscribe: UnsubscribePage,
};
