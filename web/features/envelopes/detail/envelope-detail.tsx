import { useQuery } from "@tanstack/react-query";
import { Check, Copy, Eye, EyeOff, MailX, Phone, RefreshCw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { userQuery } from "../../auth/auth.queries";
import { useRole } from "../../workspaces/workspaces.queries";
import { AssigneePicture, assigneeName, useTeam } from "../assignee";
import { AssigneeSelect } from "../assignee-select";
import { useCopyLink } from "../copy-link";
import { recipientOf, submissionLink } from "../envelope";
import { useProgress } from "../envelope-row";
import { type Envelope, useAssign, useReplaceLink, useWatchEnvelope } from "../envelopes.queries";
import { DueDate, Extend } from "./dates";
import { RequestedDocuments } from "./requested-documents";
import { FoldedSection, Section } from "./section";
import { type ReviewActions, SubmittedDocuments } from "./submitted-documents";
import { TimelineCard } from "./timeline-card";

type EnvelopeDetailProps = ReviewActions & {
  envelope: Envelope;
  onCorrect: () => void;
};

/** Facts first, then documents and the message; the timeline is at the right if there is space. */
export function EnvelopeDetail({ envelope, onCorrect, ...actions }: EnvelopeDetailProps) {
  const top = useRef<HTMLDivElement>(null);
  const completed = envelope.status === "completed";
  return (
    <div
      ref={top}
      tabIndex={-1}
      className="grid items-start gap-x-8 gap-y-6 outline-none lg:grid-cols-[minmax(0,1fr)_256px]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        {/* A form in it is removed afterwards, and its focus must go somewhere. */}
        <Facts envelope={envelope} onFormClosed={() => top.current?.focus()} />
        {(completed || envelope.submissions.length > 0) && (
          <SubmittedDocuments envelope={envelope} {...actions} />
        )}
        <RequestedDocuments envelope={envelope} review={actions.review} onAskAgain={actions.onAskAgain} />
        <Message envelope={envelope} />
      </div>
      <TimelineCard envelope={envelope} onCorrect={onCorrect} />
    </div>
  );
}

/** Folded: the recipient has read it, and the title's line shows its beginning. */
function Message({ envelope: { subject, message } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  if (!subject && !message) return null;
  return (
    <FoldedSection title={t("detail.message")}>
      {subject && <p className="break-words font-medium">{subject}</p>}
      {message && <p className="mt-1 whitespace-pre-wrap break-words text-ink-soft">{message}</p>}
    </FoldedSection>
  );
}

type FactsProps = { envelope: Envelope; onFormClosed: () => void };

/** What, who, how far, and the link. The primary action is that of the envelope's state. */
function Facts({ envelope, onFormClosed }: FactsProps) {
  const { t } = useTranslation("envelopes");
  const { subject, status, submissionToken, unsubscribedAt, reminderFrequency } = envelope;
  const mayBeReminded = status !== "completed" && reminderFrequency !== "none";
  const { mayEdit } = useRole(envelope.workspaceId);
  const { amount, last, reminded } = useProgress(envelope);
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-card bg-sunken p-4 sm:grid-cols-2">
      {subject && (
        <Section title={t("columns.subject")} className="sm:col-span-2">
          <p className="break-words font-medium">{subject}</p>
        </Section>
      )}
      <Recipient envelope={envelope} />
      <Section title={t("columns.status")}>
        <p>{amount}</p>
        <p className="text-ink-soft">{last}</p>
        {mayBeReminded && (
          <p className="text-ink-soft">
            {t("wizard.reminder")}: {t(`wizard.reminders.${reminderFrequency}`)}
          </p>
        )}
        {reminded && <p className="text-ink-soft">{reminded}</p>}
      </Section>
      <DueDate envelope={envelope} mayEdit={mayEdit} onFormClosed={onFormClosed} />
      <Assignment envelope={envelope} />
      {unsubscribedAt && (
        <div className="rounded-control bg-warn-soft p-3 text-sm sm:col-span-2">
          <p className="flex items-center gap-1.5 font-medium text-warn">
            <MailX aria-hidden className="size-4 shrink-0" />
            {t("unsubscribed.title")}
          </p>
          <p className="mt-0.5">{t("unsubscribed.text")}</p>
        </div>
      )}
      {status === "expired" && mayEdit && <Extend envelope={envelope} onFormClosed={onFormClosed} />}
      {status !== "completed" && mayEdit && submissionToken && (
        <Link envelope={envelope} token={submissionToken} />
      )}
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

function Link({ envelope, token }: { envelope: Envelope; token: string }) {
  const { t } = useTranslation("envelopes");
  const { status } = envelope;
  const [copied, setCopied] = useState(false);
  const note =
    status === "draft" ? "detail.draftLink" : status === "expired" ? "detail.expiredLink" : "detail.linkText";
  const link = submissionLink(token);
  const copyLink = useCopyLink();
  const copy = async () => setCopied(await copyLink(envelope.id));
  return (
    <Section title={t("detail.link")} className="sm:col-span-2">
      <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
        <code
          className="min-w-0 flex-1 select-all truncate rounded-control bg-surface px-3 py-2 text-xs"
          title={link}
        >
          {link}
        </code>
        <Button variant={status === "pending" ? "primary" : "secondary"} onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {t("detail.copy")}
        </Button>
        {status === "pending" && <NewLink envelope={envelope} />}
      </div>
      <p className="mt-2 text-ink-soft text-xs">{t(note)}</p>
    </Section>
  );
}

/** Replaces the link, as for an address that was wrong or somebody who should not have it any more. */
function NewLink({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const [asking, setAsking] = useState(false);
  const replace = useReplaceLink(envelope.id);
  const close = () => setAsking(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <RefreshCw aria-hidden />
        {t("newLink.action")}
      </Button>
      {asking && (
        <ConfirmDialog
          open
          title={t("newLink.title")}
          text={t("newLink.text", { name: recipientOf(envelope) || envelope.customerEmail })}
          confirmLabel={t("newLink.confirm")}
          pending={replace.isPending}
          onConfirm={() => replace.mutate(undefined, { onSettled: close })}
          onCancel={close}
        />
      )}
    </>
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
      className="sm:col-span-2"
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
