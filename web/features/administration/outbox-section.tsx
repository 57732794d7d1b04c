import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { MoreButton } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { useFormat } from "../../lib/use-format";
import { failedMessagesQuery, type OutboxMessage, useRetry, useRetryAll } from "./administration.queries";
import { Section, SectionPlaceholder } from "./section";

/** Messages that have failed for good, the latest first. */
export function OutboxSection() {
  const { t } = useTranslation("administration");
  const query = useInfiniteQuery(failedMessagesQuery);
  const retryAll = useRetryAll();
  const { data: messages } = query;
  return (
    <Section title={t("outbox.title")} text={t("outbox.text")}>
      {!messages && <SectionPlaceholder query={query} />}
      {messages?.length === 0 && <p className="text-ink-soft">{t("outbox.none")}</p>}
      {messages?.some(({ canRetry }) => canRetry) && (
        <Button size="sm" className="mb-3" loading={retryAll.isPending} onClick={() => retryAll.mutate()}>
          {t("retryAll.submit")}
        </Button>
      )}
      {messages && messages.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ul>
      )}
      <MoreButton query={query} label={t("more")} className="mt-3" />
    </Section>
  );
}

function Message({ message }: { message: OutboxMessage }) {
  const { t } = useTranslation(["administration", "envelopes"]);
  const format = useFormat();
  const retry = useRetry();
  const { id, kind, account, envelopeId, attempts, failure, error, nextAttemptAt, canRetry } = message;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        <p>
          <Separated>
            <code className="font-medium">{kind}</code>
            {account}
            {envelopeId !== null && t("outbox.envelope", { id: String(envelopeId) })}
          </Separated>
        </p>
        {failure && <p>{t(`envelopes:timeline.failures.${failure}`)}</p>}
        {error && <p className="text-ink-soft text-xs">{error}</p>}
        <p className="text-ink-soft text-xs">
          <Separated>
            {format.dateTime(nextAttemptAt)}
            {t("outbox.attempts", { attempts: format.number(attempts) })}
            {!canRetry && t("outbox.ended")}
          </Separated>
        </p>
      </div>
      {canRetry && (
        <Button
          size="sm"
          aria-label={t("retry.named", { kind, id: String(id) })}
          loading={retry.isPending}
          onClick={() => retry.mutate(id)}
        >
          {t("retry.submit")}
        </Button>
      )}
    </li>
  );
}
