import { useQuery } from "@tanstack/react-query";
import { Eye, EyeOff, MailX, Phone } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { isUnsent } from "../../../../worker/contract/options";
import { Button } from "../../../components/ui/button";
import { userQuery } from "../../auth/auth.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { AssigneePicture, assigneeName, useTeam } from "../assignee";
import { AssigneeSelect } from "../assignee-select";
import { submissionLink } from "../envelope";
import { useProgress } from "../envelope-row";
import type { Envelope } from "../envelopes.queries";
import { useSendingText } from "../sending-time";
import { DueDate, Extend } from "./dates";
import { useAssign, useWatchEnvelope } from "./detail.queries";
import { DetailActions, type DetailHandlers } from "./detail-actions";
import { RequestedDocuments } from "./requested-documents";
import { FoldedSection, Section } from "./section";
import { type ReviewActions, SubmittedDocuments } from "./submitted-documents";
import { TimelineCard } from "./timeline-card";

type EnvelopeDetailProps = ReviewActions & DetailHandlers & { envelope: Envelope };

/** The documents first, and the message; facts and timeline are beside them if there is space, else below. */
export function EnvelopeDetail({ envelope, ...actions }: EnvelopeDetailProps) {
  const top = useRef<HTMLDivElement>(null);
  const { mayEdit } = useRole(envelope.workspaceId);
  const focusTop = () => top.current?.focus();
  return (
    <div ref={top} tabIndex={-1} className="@container outline-none">
      <DetailActions envelope={envelope} onFormClosed={focusTop} {...actions} />
      <div className="mt-5 grid items-start gap-x-8 gap-y-6 @3xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {envelope.status === "expired" && mayEdit && <Extend envelope={envelope} onFormClosed={focusTop} />}
          {(envelope.status === "completed" || envelope.submissions.length > 0) && (
            <SubmittedDocuments envelope={envelope} {...actions} />
          )}
          <RequestedDocuments envelope={envelope} review={actions.review} onAskAgain={actions.onAskAgain} />
          <Message envelope={envelope} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Facts envelope={envelope} />
          <TimelineCard envelope={envelope} onCorrect={actions.onEdit} />
        </div>
      </div>
    </div>
  );
}

/** Folded: the recipient has read it, and the title's line shows its beginning. */
function Message({ envelope: { subject, message } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  if (!subject && !message) return null;
  return (
    <FoldedSection title={t("detail.message")} hint={message}>
      {subject && <p className="break-words font-medium">{subject}</p>}
      {message && <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{message}</p>}
    </FoldedSection>
  );
}

/** Who, how far, by when, and the link. */
function Facts({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const { status, expirationDate, submissionToken, unsubscribedAt, reminderFrequency } = envelope;
  const { mayEdit } = useRole(envelope.workspaceId);
  const { amount, last, reminded } = useProgress(envelope);
  const sending = useSendingText()(envelope);
  const isOpen = status !== "completed";
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-card bg-sunken p-4 @md:@max-3xl:grid-cols-2">
      <Recipient envelope={envelope} />
      <Section title={t("columns.status")}>
        <p>{amount}</p>
        {/* The timeline has the other dates. */}
        {(isUnsent(status) || (isOpen && expirationDate)) && (
          <p className="text-ink-soft">{sending ?? last}</p>
        )}
        {isOpen && reminderFrequency !== "none" && (
          <p className="text-ink-soft">
            {t("common:labelled", {
              label: t("wizard.reminder"),
              value: t(`wizard.reminders.${reminderFrequency}`),
            })}
          </p>
        )}
        {reminded && <p className="text-ink-soft">{reminded}</p>}
      </Section>
      <DueDate envelope={envelope} />
      <Assignment envelope={envelope} />
      {unsubscribedAt && (
        <div className="rounded-control bg-warn-soft p-3 text-sm @md:@max-3xl:col-span-2">
          <p className="flex items-center gap-1.5 font-medium text-warn">
            <MailX aria-hidden className="size-4 shrink-0" />
            {t("unsubscribed.title")}
          </p>
          <p className="mt-0.5">{t("unsubscribed.text")}</p>
        </div>
      )}
      {isOpen && mayEdit && submissionToken && <Link status={status} token={submissionToken} />}
    </div>
  );
}

function Recipient({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const { contact, customerEmail, recipientPhone, language, notificationPreference } = envelope;
  const name = contact && [contact.firstName, contact.lastName].filter(Boolean).join(" ");
  return (
    <Section title={t("detail.recipient")}>
      {name && <p className="break-words">{name}</p>}
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {customerEmail || !recipientPhone ? customerEmail || t("noRecipient") : null}
      </p>
      {recipientPhone && (
        <p className="flex items-center gap-1.5 text-ink-soft tabular-nums">
          <Phone aria-hidden className="size-4" />
          {recipientPhone}
        </p>
      )}
      {notificationPreference !== "email" && (
        <p className="text-ink-soft">{t(`wizard.notifications.${notificationPreference}`)}</p>
      )}
      {language && <p className="text-ink-soft">{t(`common:languages.${language}`)}</p>}
    </Section>
  );
}

function Link({ status, token }: { status: Envelope["status"]; token: string }) {
  const { t } = useTranslation("envelopes");
  const note = isUnsent(status)
    ? "detail.draftLink"
    : status === "expired"
      ? "detail.expiredLink"
      : "detail.linkText";
  const link = submissionLink(token);
  return (
    <Section title={t("detail.link")} className="min-w-0 @md:@max-3xl:col-span-2">
      <code className="block select-all truncate rounded-control bg-surface px-3 py-2 text-xs" title={link}>
        {link}
      </code>
      <p className="mt-2 text-ink-soft text-xs">{t(note)}</p>
    </Section>
  );
}

/** Whom the envelope is assigned to, changed in place, and whether the caller watches it. Only in a shared workspace. */
function Assignment({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const team = useTeam(envelope.workspaceId);
  const { data: user } = useQuery(userQuery);
  const assign = useAssign(envelope);
  const watch = useWatchEnvelope(envelope.id);
  if (!team) return null;
  const { assignee, watching } = envelope;
  // The assignee gets the notices anyway.
  const canWatch = assignee.userId !== user?.id || watching;
  return (
    <Section
      title={t("assignee.label")}
      className="@md:@max-3xl:col-span-2"
      aside={
        canWatch && (
          <Button
            size="sm"
            title={t("watch.hint")}
            loading={watch.isPending}
            onClick={() => watch.mutate(!watching)}
          >
            {!watch.isPending && (watching ? <EyeOff aria-hidden /> : <Eye aria-hidden />)}
            {watching ? t("watch.stop") : t("watch.start")}
          </Button>
        )
      }
    >
      <div className="flex items-center gap-2.5">
        <AssigneePicture userId={assignee.userId} members={team.members} />
        {team.mayEdit && team.members.length > 0 ? (
          <div className="min-w-0 flex-1 sm:max-w-sm">
            <AssigneeSelect
              label={t("assignee.label")}
              members={team.members}
              value={assign.isPending ? assign.variables : (assignee.userId ?? 0)}
              disabled={assign.isPending}
              onChange={(userId) => userId !== assignee.userId && assign.mutate(userId)}
            />
          </div>
        ) : (
          <p className="min-w-0 break-words">{assigneeName(assignee)}</p>
        )}
      </div>
    </Section>
  );
}
