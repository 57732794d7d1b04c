import { useQuery } from "@tanstack/react-query";
import { Plus, TriangleAlert } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DestinationKind, isGranted } from "../../../../worker/contract/destination-kinds";
import type { ErrorCode } from "../../../../worker/contract/errors";
import { Button } from "../../../components/ui/button";
import { Notice } from "../../../components/ui/notice";
import { Separated } from "../../../components/ui/separated";
import { toast } from "../../../components/ui/toast-store";
import { useShownName } from "../../../lib/shown-name";
import { useFormat } from "../../../lib/use-format";
import { useRole, useSelectedWorkspace, type Workspace } from "../../workspaces/workspaces.queries";
import { ConnectionList, ConnectionSection } from "../connection-section";
import { BackfillDialog } from "./backfill-dialog";
import { DestinationForm } from "./destination-form";
import { DestinationLog } from "./destination-log";
import { KIND_ICONS, lacksFolder, statusOf } from "./destination-status";
import {
  type Destination,
  destinationsQuery,
  type TestResponse,
  useChangeDestination,
  useConnect,
  useRemoveDestination,
  useTestDestination,
} from "./destinations.queries";
import { KindDialog } from "./kind-dialog";

/** Where the files of the selected workspace are copied to. */
export function DestinationSection() {
  const workspace = useSelectedWorkspace();
  return workspace ? <Destinations key={workspace.id} workspace={workspace} /> : null;
}

function Destinations({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("destinations");
  const { isOwner } = useRole(workspace.id);
  const shown = useShownName();
  const query = useQuery({ ...destinationsQuery(workspace.id), enabled: isOwner });
  const remove = useRemoveDestination();
  const returned = useReturn();
  /** The id of the destination that is edited, or the kind of a new one. */
  const [editing, setEditing] = useState<number | DestinationKind | "choose">();
  const isNew = query.data?.some((one) => one.id === returned && lacksFolder(one));
  useEffect(() => {
    if (isNew) setEditing(returned);
  }, [isNew, returned]);
  const close = () => setEditing(undefined);
  const edited = query.data?.find(({ id }) => id === editing);
  /** Those whose waiting files are not delivered until somebody does something. */
  const stopped = (query.data ?? []).filter(({ state }) => state === "reconnect" || state === "full");
  return (
    <ConnectionSection
      id="destinations"
      title={t("title")}
      text={t("text", { workspace: shown(workspace.name) })}
      action={
        isOwner && (
          <Button onClick={() => setEditing("choose")}>
            <Plus aria-hidden />
            {t("add")}
          </Button>
        )
      }
    >
      {isOwner ? (
        <>
          {stopped.length > 0 && (
            <Notice icon={TriangleAlert} title={t("attention.title")}>
              {stopped.map(({ id, name, state }) => (
                <p key={id} className="break-words">
                  {t(state === "full" ? "attention.full" : "attention.reconnect", { name })}
                </p>
              ))}
            </Notice>
          )}
          <ConnectionList
            label={t("title")}
            query={query}
            empty={t("empty")}
            failed={t("loadFailed")}
            removal={{
              title: t("remove.title"),
              text: t("remove.text"),
              detail: ({ name }) => name,
              mutation: remove,
            }}
          >
            {(destination, onRemove) => (
              <DestinationItem
                key={destination.id}
                destination={destination}
                workspaceId={workspace.id}
                onEdit={() => setEditing(destination.id)}
                onRemove={onRemove}
              />
            )}
          </ConnectionList>
        </>
      ) : (
        <p className="text-ink-soft">{t("ownersOnly")}</p>
      )}
      {editing === "choose" && (
        <KindDialog workspaceId={workspace.id} onChosen={setEditing} onClose={close} />
      )}
      {(edited || (typeof editing === "string" && editing !== "choose")) && (
        <DestinationForm
          workspace={workspace}
          kind={edited?.kind ?? (editing as DestinationKind)}
          destination={edited}
          onClose={close}
        />
      )}
    </ConnectionSection>
  );
}

/** What the page of Microsoft or Google has led back with: the id of the connected destination, or why it is none. */
function useReturn(): number | undefined {
  const { t, i18n } = useTranslation(["destinations", "errors", "common"]);
  const [given] = useState(() => new URLSearchParams(location.search));
  const code = given.get("error");
  useEffect(() => {
    const url = new URL(location.href);
    if (!url.searchParams.has("error") && !url.searchParams.has("destination")) return;
    if (code) {
      const isKnown = i18n.exists(code, { ns: "errors" });
      const text = isKnown ? t(`errors:${code as ErrorCode}`) : t("common:failure.unknown");
      toast({ title: t("connectFailed"), text, destructive: true });
    } else toast({ title: t("connected") });
    url.searchParams.delete("error");
    url.searchParams.delete("destination");
    history.replaceState(history.state, "", url);
  }, [code, t, i18n]);
  return Number(given.get("destination")) || undefined;
}

type DestinationItemProps = {
  destination: Destination;
  workspaceId: number;
  onEdit: () => void;
  onRemove: () => void;
};

/** A destination with its state and what can be done with it. */
function DestinationItem({ destination, workspaceId, onEdit, onRemove }: DestinationItemProps) {
  const { t } = useTranslation(["destinations", "common"]);
  const [open, setOpen] = useState<"log" | "backfill">();
  const { id, kind, name, state } = destination;
  const change = useChangeDestination(id);
  const test = useTestDestination(id);
  const connect = useConnect(workspaceId);
  const close = () => setOpen(undefined);
  const action = (text: string, button: ComponentProps<typeof Button>) => (
    <Button size="sm" {...button} aria-label={t("actionOf", { action: text, name })}>
      {text}
    </Button>
  );
  const paused = state === "paused";
  return (
    <li className="flex flex-col gap-3 p-4">
      <Summary destination={destination} />
      <TestResult result={test.data} />
      <div className="flex flex-wrap gap-2">
        {lacksFolder(destination) ? (
          action(t("chooseFolder"), { variant: "primary", onClick: onEdit })
        ) : (
          <>
            {state === "reconnect" &&
              (isGranted(kind)
                ? action(t("signInAgain"), {
                    variant: "primary",
                    loading: connect.isPending,
                    onClick: () => connect.mutate({ kind, destinationId: id }),
                  })
                : action(t("newCredentials"), { variant: "primary", onClick: onEdit }))}
            {action(t("log.short"), { onClick: () => setOpen("log") })}
            {action(t("test.short"), { loading: test.isPending, onClick: () => test.mutate() })}
            {action(t(paused ? "resume" : "pause"), {
              loading: change.isPending,
              onClick: () => change.mutate({ state: paused ? "active" : "paused" }),
            })}
            {action(t("backfill.title"), { onClick: () => setOpen("backfill") })}
            {action(t("common:edit"), { onClick: onEdit })}
          </>
        )}
        {action(t("remove.short"), { onClick: onRemove })}
      </div>
      {open === "log" && <DestinationLog destination={destination} onClose={close} />}
      {open === "backfill" && <BackfillDialog destination={destination} onClose={close} />}
    </li>
  );
}

const TONES = {
  plain: "text-ink-soft",
  good: "text-good",
  warn: "font-medium text-warn",
  bad: "font-medium text-bad",
} as const;

function Summary({ destination }: { destination: Destination }) {
  const { t } = useTranslation("destinations");
  const format = useFormat();
  const { kind, name, account, settings, folderRule, lastDeliveredAt } = destination;
  const Icon = KIND_ICONS[kind];
  const place = settings.folderName ?? settings.url ?? settings.path ?? settings.bucket;
  return (
    <div className="flex items-start gap-3">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1 space-y-1">
        <h3 className="break-words text-base">{name}</h3>
        <div className="text-ink-soft text-xs [overflow-wrap:anywhere]">
          <Separated>
            {t(`kinds.${kind}.name`)}
            {account !== name && account}
            {place}
            {folderRule}
          </Separated>
        </div>
        {statusOf(destination).map(({ text, tone, count }) => (
          <p key={text} className={TONES[tone]}>
            {t(text, { count, when: lastDeliveredAt ? format.when(lastDeliveredAt) : "" })}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Whether the test file could be written, and what the destination said otherwise. */
function TestResult({ result }: { result: TestResponse | undefined }) {
  const { t } = useTranslation(["destinations", "errors"]);
  if (!result) return null;
  if (result.ok)
    return (
      <p role="status" className="break-words rounded-control bg-good-soft p-3 text-good">
        {t("test.done", { path: result.path })}
      </p>
    );
  return (
    <p role="alert" className="break-words rounded-control bg-bad-soft p-3">
      <span className="font-medium text-bad">{t("test.failed")}</span>{" "}
      <span>{t(`errors:${result.code}`, { reason: result.message })}</span>
    </p>
  );
}
