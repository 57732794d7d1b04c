import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { Separated } from "../../components/ui/separated";
import { cx } from "../../lib/cx";
import { useFormat } from "../../lib/use-format";
import { type Instance, instanceQuery, useSendTestMail } from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

/** Hourly jobs whose last run is older than this are late. */
const LATE_MS = 3 * 60 * 60 * 1000;

export function InstanceSection() {
  const { t } = useTranslation("administration");
  const query = useQuery(instanceQuery);
  return (
    <Section title={t("instance.title")}>
      {query.data ? (
        <>
          <Figures instance={query.data} />
          <Facts instance={query.data} />
        </>
      ) : (
        <SectionPlaceholder query={query} />
      )}
    </Section>
  );
}

function Figures({ instance }: { instance: Instance }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { accounts, envelopes, storage, version, schema, signUp } = instance;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Figure name={t("instance.accounts")} value={format.number(accounts.total)}>
        {t("instance.accountsText", {
          active: format.number(accounts.active),
          disabled: format.number(accounts.disabled),
        })}
      </Figure>
      <Figure name={t("instance.envelopes")} value={format.number(envelopes.total)}>
        {t("instance.envelopesText", {
          pending: format.number(envelopes.pending),
          completed: format.number(envelopes.completed),
        })}
      </Figure>
      <Figure name={t("instance.storage")} value={format.size(storage.bytes)}>
        {t("instance.storageText", {
          files: format.number(storage.files),
          uploads: format.number(storage.uploadsUnderWay),
        })}
      </Figure>
      <Figure name={t("instance.version")} value={version}>
        <Separated>
          {schema}
          {t(`instance.signUp.${signUp}`)}
        </Separated>
      </Figure>
    </dl>
  );
}

function Facts({ instance }: { instance: Instance }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { workspaces, storage, outbox, scanner, webhooks, destinations, jobs, disk, lastBackup } = instance;
  return (
    <dl className="mt-3 divide-y divide-line rounded-card border border-line bg-surface px-4">
      <Fact name={t("instance.workspaces")}>
        <Separated>
          {t("instance.workspacesText", {
            total: format.number(workspaces.total),
            shared: format.number(workspaces.shared),
          })}
          {t("instance.membersText", {
            memberships: format.number(workspaces.memberships),
            invitations: format.number(workspaces.invitations),
          })}
        </Separated>
      </Fact>
      <Fact name={t("instance.outbox")}>
        <Badge tone={outbox.failed > 0 ? "warn" : "good"}>
          {t("instance.outboxText", {
            waiting: format.number(outbox.waiting),
            failed: format.number(outbox.failed),
          })}
        </Badge>
        {outbox.oldestWaiting && (
          <span>{t("instance.oldest", { when: format.when(outbox.oldestWaiting) })}</span>
        )}
        {!outbox.sendsMail && <span>{t("instance.noMail")}</span>}
        <TestMail />
      </Fact>
      <Fact name={t("instance.backup")}>
        {lastBackup ? format.hour(lastBackup) : <Badge tone="warn">{t("instance.backupNone")}</Badge>}
      </Fact>
      {disk && (
        <Fact name={t("instance.disk")}>
          {t("instance.diskText", { free: format.size(disk.freeBytes), size: format.size(disk.sizeBytes) })}
        </Fact>
      )}
      <Fact name={t("instance.scanner")}>
        <Badge tone={scanner.configured ? "good" : "secondary"}>
          {scanner.configured ? t("instance.scannerOn") : t("instance.scannerOff")}
        </Badge>
        {scanner.quarantined > 0 && (
          <span>{t("instance.quarantined", { files: format.number(scanner.quarantined) })}</span>
        )}
      </Fact>
      <Fact name={t("instance.webhooks")}>
        <Badge tone={webhooks.failing > 0 ? "warn" : webhooks.enabled > 0 ? "good" : "secondary"}>
          {t("instance.webhooksText", {
            enabled: format.number(webhooks.enabled),
            failing: format.number(webhooks.failing),
          })}
        </Badge>
        {webhooks.waiting > 0 && (
          <span>{t("instance.webhooksWaiting", { messages: format.number(webhooks.waiting) })}</span>
        )}
      </Fact>
      {destinations.total > 0 && (
        <Fact name={t("instance.destinations")}>
          <Badge tone={destinations.stopped + destinations.failed > 0 ? "warn" : "good"}>
            {t("instance.destinationsText", {
              total: format.number(destinations.total),
              stopped: format.number(destinations.stopped),
            })}
          </Badge>
          {destinations.waiting + destinations.failed > 0 && (
            <span>
              {t("instance.filesText", {
                waiting: format.number(destinations.waiting),
                failed: format.number(destinations.failed),
              })}
            </span>
          )}
        </Fact>
      )}
      <Fact name={t("instance.jobs")}>
        <Jobs jobs={jobs} />
      </Fact>
      {storage.largest.length > 0 && (
        <Fact name={t("instance.largest")}>
          <ul className="min-w-0 flex-1 space-y-1">
            {storage.largest.map(({ id, email, bytes }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4">
                <span className="min-w-0 break-words">{email}</span>
                <span className="tabular-nums">{format.size(bytes)}</span>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

/** Sends a mail to the administrator, and shows what became of it. */
function TestMail() {
  const { t } = useTranslation("administration");
  const test = useSendTestMail();
  const result = test.data;
  return (
    <>
      <Button size="sm" loading={test.isPending} onClick={() => test.mutate()}>
        {t("testMail.submit")}
      </Button>
      {result && (
        <p role="status" className={cx("w-full break-words", toneOf(result))}>
          {result.error
            ? t("testMail.error", { to: result.to, error: result.error })
            : t(result.sendsMail ? "testMail.sent" : "testMail.written", { to: result.to })}
        </p>
      )}
    </>
  );
}

/** A mail that was only written to a file reached nobody. */
const toneOf = ({ sent, sendsMail }: { sent: boolean; sendsMail: boolean }) =>
  !sent ? "text-bad" : sendsMail ? "text-good" : "text-warn";

function Jobs({ jobs }: Pick<Instance, "jobs">) {
  const { t } = useTranslation(["administration", "common"]);
  const format = useFormat();
  const late = jobs.filter(({ lastRun }) => Date.now() - Date.parse(lastRun) > LATE_MS);
  if (jobs.length === 0) return <Badge tone="secondary">{t("instance.jobsNever")}</Badge>;
  if (late.length === 0) return <Badge tone="good">{t("instance.jobsOnTime")}</Badge>;
  return (
    <>
      <Badge tone="warn">{t("instance.jobsLate")}</Badge>
      {late.map(({ job, lastRun }) => (
        <span key={job} className="break-all">
          {t("common:labelled", { label: job, value: format.relative(lastRun) })}
        </span>
      ))}
    </>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface p-4">
      <dt className="hyphens-auto break-words text-ink-soft">{name}</dt>
      <dd className="mt-1 break-words font-semibold text-xl tabular-nums tracking-tight">{value}</dd>
      <dd className="mt-1 break-words text-ink-soft text-xs">{children}</dd>
    </div>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1.5 py-3 sm:flex-row sm:items-baseline">
      <dt className="text-ink-soft sm:w-48 sm:shrink-0">{name}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">{children}</dd>
    </div>
  );
}
