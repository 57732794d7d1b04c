import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useState } from "react";
import { type HomeSearch, listView } from "../app/search";
import { lazyComponent } from "../components/ui/lazy-component";
import { userQuery } from "../features/auth/auth.queries";
import { useMarkSeen } from "../features/envelopes/envelopes.queries";
import { EnvelopesPage } from "../features/envelopes/envelopes-page";
import type { ListView } from "../features/envelopes/list-view";
import { useEditing } from "../features/workspaces/workspaces.queries";

export { Board } from "../features/envelopes/board/lazy-board";

const route = getRouteApi("/signed-in/");

const ViewerRefusal = lazyComponent(() => import("../features/envelopes/viewer-refusal"));
const EnvelopeDialogs = lazy(() => import("../features/envelopes/detail/envelope-dialogs"));
const WizardDialog = lazy(() => import("../features/envelopes/wizard/wizard-dialog"));
const SeveralDialog = lazy(() => import("../features/envelopes/several/several-dialog"));

/** The list, and what the URL opens over it: an envelope, one of its files, or the wizard. */
export function HomeRoute() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = useCallback(
    (over: HomeSearch, replace = false) =>
      void navigate({
        to: "/",
        search: (now) => ({ ...listView(now), ...over }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  // Keeps what is open over the list: it may have been opened during a pause in typing, and must not ask because of it.
  const setView = useCallback(
    (changes: ListView, replace = false) =>
      void navigate({
        to: "/",
        search: (now) => ({ ...now, ...changes }),
        replace,
        resetScroll: false,
        ignoreBlocker: true,
      }),
    [navigate],
  );
  const edit = useCallback((id: number) => show({ edit: id }), [show]);
  const duplicate = useCallback((id: number) => show({ wizard: "new", copy: id }), [show]);
  const review = useCallback((id: number) => show({ envelope: id, review: "next", from: "list" }), [show]);
  useMarkSeen(search.envelope);
  const isForSeveral = search.wizard === "several" || search.wizard === "recurring";
  const { template, contact, copy } = search;
  const origin = { templateId: template, contactId: contact, copyId: copy };
  /** Continues with several recipients. */
  const goOn = (wizard: HomeSearch["wizard"]) => show({ wizard, template, contact, copy }, true);
  const asked = search.wizard !== undefined || search.edit !== undefined;
  const writing = useEditing(asked);
  return (
    <>
      <EnvelopesPage
        view={search}
        onView={setView}
        onNew={(wizard) => show({ wizard })}
        onEdit={edit}
        onDuplicate={duplicate}
        onReview={review}
        onRetry={(retry) => show({ wizard: "several", retry })}
      />
      {asked && !writing && <ViewerRefusal onTold={() => show({}, true)} />}
      <OnboardingGate
        suppressed={writing || search.envelope !== undefined}
        onRequest={(template) => show({ wizard: "new", template })}
      />
      <Suspense>
        {search.envelope !== undefined && (
          <EnvelopeDialogs
            id={search.envelope}
            list={search}
            over={search}
            onOver={show}
            onEdit={(edit) => show({ edit }, true)}
            onDuplicate={(copy) => show({ wizard: "new", copy }, true)}
            onCopy={(copy) => show({ wizard: "several", copy }, true)}
          />
        )}
      </Suspense>
      {/* A separate boundary: a shared one would hide the details while the wizard loads, which closes them. */}
      <Suspense>
        {writing && isForSeveral && (
          <SeveralDialog
            key={`${search.wizard} ${template} ${contact} ${search.contacts} ${copy} ${search.retry} ${search.series}`}
            recurring={search.wizard === "recurring"}
            seriesId={search.series}
            contactIds={search.contacts}
            {...origin}
            retryId={search.retry}
            onSent={(id) =>
              search.wizard === "recurring"
                ? void navigate({ to: "/schedules", search: { schedules: "recurring" }, replace: true })
                : show({ bulkId: id, tab: undefined, filter: undefined, q: undefined }, true)
            }
            onClose={() => show({}, true)}
          />
        )}
      </Suspense>
      <Suspense>
        {writing && !isForSeveral && (
          <WizardDialog
            key={`${search.edit} ${template} ${contact} ${copy}`}
            editId={search.edit}
            {...origin}
            onSeveral={() => goOn("several")}
            onRecurring={() => goOn("recurring")}
            onClose={() => show({}, true)}
          />
        )}
      </Suspense>
    </>
  );
}

const OnboardingDialog = lazyComponent(() => import("../features/onboarding/onboarding-dialog"));

type OnboardingGateProps = {
  suppressed: boolean;
  /** Begins an envelope, perhaps from a template. */
  onRequest: (templateId: number | undefined) => void;
};

/** Opens onboarding on each visit until it is completed. If it is dismissed, it stays closed for this visit. */
export function OnboardingGate({ suppressed, onRequest }: OnboardingGateProps) {
  const { data: user } = useQuery(userQuery);
  const [dismissed, setDismissed] = useState(false);
  if (!user || user.onboardingCompleted || dismissed || suppressed) return null;
  return <OnboardingDialog user={user} onRequest={onRequest} onClose={() => setDismissed(true)} />;
}
