import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { focusContent } from "../../lib/focus";
import { readStored, writeStored } from "../../lib/storage";
import { type User, userQuery } from "../auth/auth.queries";
import { twoFactorQuery } from "../settings/two-factor/two-factor.queries";
import { instanceQuery } from "./administration.queries";
import { Fact } from "./instance-section";
import { Section } from "./section";

type Step = "mail" | "address" | "backup" | "signUp" | "access";

/** What a new instance needs, until all of it is done or the administrator hides it. */
export function FirstStepsSection() {
  const { data: user } = useQuery(userQuery);
  return user && <FirstSteps user={user} />;
}

function FirstSteps({ user }: { user: User }) {
  const { t } = useTranslation("administration");
  const key = `first-steps-${user.id}`;
  const [hidden, setHidden] = useState(() => readStored(key) !== null);
  const { data: instance } = useQuery(instanceQuery);
  const { data: factors } = useQuery({ ...twoFactorQuery, enabled: !hidden });
  if (hidden || !instance || !factors) return null;
  const { outbox, lastBackup, signUp, signUpChosen, administrators } = instance;
  const steps: { name: Step; done: boolean; settings?: string }[] = [
    { name: "mail", done: outbox.sendsMail },
    { name: "address", done: user.isVerified, settings: "account" },
    { name: "backup", done: lastBackup !== null },
    { name: "signUp", done: signUpChosen },
    {
      name: "access",
      done: administrators > 1 || factors.totp || factors.passkeys > 0,
      settings: "two-factor",
    },
  ];
  if (steps.every(({ done }) => done)) return null;
  const hide = () => {
    writeStored(key, "hidden");
    setHidden(true);
    focusContent();
  };
  return (
    <Section title={t("firstSteps.title")} text={t("firstSteps.text")}>
      <dl className="divide-y divide-line rounded-card border border-line bg-surface px-4">
        {steps.map(({ name, done, settings }) => (
          <Fact key={name} name={t(`firstSteps.${name}`)}>
            <span className="self-start">
              <Badge tone={done ? "good" : "warn"}>{t(done ? "firstSteps.done" : "firstSteps.todo")}</Badge>
            </span>
            <div className="min-w-0 flex-[1_1_16rem]">
              {name === "signUp" && <p>{t(`instance.signUp.${signUp}`)}</p>}
              {!done && <p>{t(`firstSteps.${name}How`)}</p>}
              {!done && settings && (
                <Link
                  to="/profile"
                  hash={settings}
                  className="text-accent underline-offset-4 hover:underline"
                >
                  {t("back")}
                </Link>
              )}
            </div>
          </Fact>
        ))}
      </dl>
      <Button size="sm" className="mt-3" onClick={hide}>
        {t("firstSteps.hide")}
      </Button>
    </Section>
  );
}
