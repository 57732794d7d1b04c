import { CalendarClock, ChevronDown, CircleAlert, CircleCheck, Clock, Files, RotateCcw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { visibleEntries } from "../../../../worker/contract/visible-entries";
import { Badge } from "../../../components/ui/badge";
import { Spinner } from "../../../components/ui/spinner";
import { cx } from "../../../lib/cx";
import { lookUp } from "../../../lib/texts";
import { T, useTexts } from "../translation/use-texts";
import { requestorName } from "./request-state";
import { lastDay, requestTitle, storedDescription, storedTitle } from "./request-texts";
import { isReceived, type RecipientRequest, submissionUrl } from "./submission-api";

type RequestCardProps = { token: string; request: RecipientRequest; folded: boolean };

/** Who requests what, and until when. It must let a stranger tell whether the request is genuine. */
export function RequestCard({ token, request, folded }: RequestCardProps) {
  const texts = useTexts();
  const { t } = texts;
  const [open, setOpen] = useState(false);
  const { subject, expirationDate, documents } = request;
  const description = storedDescription(request, t);
  const hidden = folded && !open && "max-sm:hidden";
  // After what the server has: it is not read again while the other steps are filled in.
  const asked = [...visibleEntries(documents, ({ answer }) => answer)].filter((entry) => !isReceived(entry));
  const uploaded = asked.filter(({ state, answered }) => answered || state === "uploaded").length;
  const toggle = folded && (
    <button
      type="button"
      aria-expanded={open}
      aria-label={t(open ? "hideDetails" : "showDetails")}
      onClick={() => setOpen(!open)}
      className="-mr-2 inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-hover sm:hidden"
    >
      <ChevronDown aria-hidden className={cx("size-5 transition-transform", open && "rotate-180")} />
    </button>
  );
  return (
    <CardFrame>
      <Requestor token={token} request={request} hidden={hidden} toggle={toggle} />
      <div className={cx("px-5 sm:px-7 sm:py-6", hidden ? "py-3" : "py-5")}>
        <Returned documents={documents} hidden={hidden} />
        <h1
          className={cx(
            "hyphens-auto break-words text-2xl leading-8",
            hidden && "max-sm:text-base max-sm:leading-6",
          )}
        >
          {requestTitle(request, t)}
        </h1>
        {subject?.trim() && (
          <p className={cx("mt-1 break-words text-sm", hidden)}>{storedTitle(request, t)}</p>
        )}
        {request.reminderNote && (
          <p className={cx("mt-2 whitespace-pre-line break-words", hidden)}>{request.reminderNote}</p>
        )}
        {description && (
          <p className={cx("mt-2 whitespace-pre-line break-words text-ink-soft", hidden)}>{description}</p>
        )}
        <ul
          className={cx(
            "not-empty:mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-ink-soft",
            hidden,
          )}
        >
          {!folded && (
            <Fact icon={<Files aria-hidden />}>
              {t(asked.every(({ kind }) => kind === "file") ? "documentCount" : "entryCount", {
                number: asked.length,
              })}
            </Fact>
          )}
          {uploaded > 0 && !folded && (
            <Fact icon={<CircleCheck aria-hidden />}>
              {t("alreadyHere", { number: uploaded, total: asked.length })}
            </Fact>
          )}
          {request.dueDate && (
            <Fact icon={<CalendarClock aria-hidden />}>
              <strong>{t("sendBy", { date: texts.day(request.dueDate) })}</strong>
            </Fact>
          )}
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

/** Which documents the requestor needs again, and why: the first thing that a recipient who comes back looks for. */
function Returned({ documents, hidden }: Pick<RecipientRequest, "documents"> & { hidden: string | false }) {
  const { t } = useTexts();
  const returned = documents.filter(({ state }) => state === "returned");
  if (returned.length === 0) return null;
  return (
    <section className="mb-4 rounded-control bg-warn-soft px-4 py-3">
      <h2 className="flex items-center gap-2 font-semibold">
        <RotateCcw aria-hidden className="size-4.5 shrink-0 text-warn" />
        <span>{t("again", { number: returned.length })}</span>
      </h2>
      <ul className={cx("mt-1 flex flex-col gap-1", hidden)}>
        {returned.map(({ id, name, reason }) => (
          <li key={id} className="break-words">
            <span className="font-medium">{name}</span>
            <span>{reason && `: ${reason}`}</span>
          </li>
        ))}
      </ul>
    </section>
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

type RequestorProps = {
  token: string;
  request: RecipientRequest;
  hidden: string | false;
  toggle: ReactNode;
};

function Requestor({ token, request: { user, status }, hidden, toggle }: RequestorProps) {
  const { t, texts } = useTexts();
  const name = requestorName(user);
  const company = user.companyName === name ? null : user.companyName;
  return (
    <div
      className={cx(
        "flex items-center gap-4 border-line border-b bg-manila-soft px-5 sm:px-7 sm:py-5",
        hidden ? "py-3" : "py-5",
      )}
    >
      <RequestorPicture token={token} name={name ?? user.email} hasPicture={user.hasPicture} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p className="text-ink-soft text-sm">{t("requestFrom")}</p>
          <span title={t("statusHint")} className={cx(hidden)}>
            <Badge tone="outline" icon={Clock}>
              {lookUp(texts.status, status) ?? status}
            </Badge>
          </span>
        </div>
        <p className="break-words font-semibold text-xl leading-7">{name ?? t("notProvided")}</p>
        {company && <p className={cx("break-words", hidden)}>{company}</p>}
        <p className={cx("flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm", hidden)}>
          <span className="break-all">{user.email}</span>
          {user.emailVerified === false && (
            <Badge tone="warn" icon={CircleAlert}>
              {t("notVerified")}
            </Badge>
          )}
        </p>
      </div>
      {toggle}
    </div>
  );
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

const SIDE = 52;

/**
 * The requestor's picture, or the initials until it is loaded, if there is none, or if it fails to load. It is
 * decoration, because the name is next to it. It may be large, so it is loaded last.
 */
function RequestorPicture({ token, name, hasPicture }: { token: string; name: string; hasPicture: boolean }) {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const isIdle = useIsPageIdle();
  return (
    <span
      aria-hidden
      className="relative flex size-13 shrink-0 items-center justify-center overflow-hidden rounded-full bg-accent font-semibold text-accent-ink text-lg"
    >
      <span>{state !== "loaded" && initials(name)}</span>
      {hasPicture && isIdle && state !== "failed" && (
        <img
          src={`${submissionUrl(token)}/picture`}
          alt=""
          width={SIDE}
          height={SIDE}
          decoding="async"
          fetchPriority="low"
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
          className={cx(
            "absolute inset-0 size-full object-cover",
            state === "loaded" ? "bg-sunken" : "opacity-0",
          )}
        />
      )}
    </span>
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

/** Safari has no requestIdleCallback. */
const FALLBACK_MS = 200;

/** Whether the page has been idle once since it was loaded. */
function useIsPageIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    const becomeIdle = () => setIsIdle(true);
    const waitForIdle = () => {
      if ("requestIdleCallback" in window) requestIdleCallback(becomeIdle);
      else setTimeout(becomeIdle, FALLBACK_MS);
    };
    if (document.readyState === "complete") return waitForIdle();
    addEventListener("load", waitForIdle);
    return () => removeEventListener("load", waitForIdle);
  }, []);
  return isIdle;
}
