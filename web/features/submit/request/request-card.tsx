import { CalendarClock, CircleAlert, Clock, Files } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge";
import { Spinner } from "../../../components/ui/spinner";
import { lookUp } from "../translation/translate";
import { T, useTexts } from "../translation/use-texts";
import { lastDay } from "./last-day";
import { requestorName } from "./request-state";
import type { RecipientRequest } from "./submission-api";

/** Who requests what, and until when. It must let a stranger tell whether the request is genuine. */
export function RequestCard({ request }: { request: RecipientRequest }) {
  const texts = useTexts();
  const { t } = texts;
  const { title, description, expirationDate, documents } = request;
  return (
    <CardFrame>
      <Requestor request={request} />
      <div className="px-5 py-5 sm:px-7 sm:py-6">
        <h1 className="break-words text-2xl leading-8">{title}</h1>
        {description && <p className="mt-2 whitespace-pre-line break-words text-ink-soft">{description}</p>}
        <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-ink-soft">
          <Fact icon={<Files aria-hidden />}>{t("documentCount", { number: documents.length })}</Fact>
          {expirationDate && (
            <Fact icon={<CalendarClock aria-hidden />}>
              {t("openUntil", { date: lastDay(texts, { ...request, date: expirationDate }) })}
            </Fact>
          )}
        </ul>
      </div>
    </CardFrame>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      {icon}
      <span>{children}</span>
    </li>
  );
}

function Requestor({ request: { user, status } }: { request: RecipientRequest }) {
  const { t, texts } = useTexts();
  const name = requestorName(user);
  const company = user.companyName === name ? null : user.companyName;
  return (
    <div className="flex items-center gap-4 border-line border-b bg-manila-soft px-5 py-5 sm:px-7">
      <span
        aria-hidden
        className="flex size-13 shrink-0 items-center justify-center rounded-full bg-accent font-semibold text-accent-ink text-lg"
      >
        {initials(name ?? user.email)}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p className="text-ink-soft text-sm">{t("requestFrom")}</p>
          <Badge tone="outline" icon={Clock}>
            {lookUp(texts.status, status) ?? status}
          </Badge>
        </div>
        <p className="break-words font-semibold text-xl leading-7">{name ?? t("notProvided")}</p>
        {company && <p className="break-words">{company}</p>}
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm">
          <span className="break-all">{user.email}</span>
          {user.emailVerified === false && (
            <Badge tone="warn" icon={CircleAlert}>
              {t("notVerified")}
            </Badge>
          )}
        </p>
      </div>
    </div>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0]);
  // One character represents a Chinese or Japanese name better than two separate ones.
  const wanted = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(name)
    ? letters.slice(0, 1)
    : letters;
  return wanted.join("").toUpperCase();
}

/**
 * The card's skeleton, which is prerendered. It is about as tall as the card, so that the step below hardly
 * moves.
 */
export function RequestCardSkeleton() {
  return (
    <CardFrame>
      <div className="flex items-center gap-4 border-line border-b bg-manila-soft px-5 py-5 sm:px-7">
        <Bar className="size-13 shrink-0 rounded-full" />
        <div>
          <p role="status" className="flex min-h-6 items-center gap-2 text-ink-soft text-sm">
            <Spinner />
            <T k="loading" />
          </p>
          <Bar className="mt-1 h-5 w-44 rounded-md" />
          <Bar className="mt-3 h-4 w-36 rounded-md" />
          <Bar className="mt-2 h-4 w-40 rounded-md" />
        </div>
      </div>
      <div className="px-5 py-5 sm:px-7 sm:py-6">
        <Bar className="h-7 w-3/4 rounded-md" />
        <Bar className="mt-2 h-7 w-1/2 rounded-md sm:hidden" />
        <Bar className="mt-3 h-5 w-full rounded-md" />
        <Bar className="mt-5 h-5 w-2/5 rounded-md" />
        <Bar className="mt-2 h-5 w-2/5 rounded-md sm:hidden" />
      </div>
    </CardFrame>
  );
}

function Bar({ className }: { className: string }) {
  return <span aria-hidden className={`shimmer block bg-line ${className}`} />;
}

function CardFrame({ children }: { children: ReactNode }) {
  return (
    <section className="overflow-hidden border-line border-y bg-surface sm:rounded-card sm:border">
      {children}
    </section>
  );
}
