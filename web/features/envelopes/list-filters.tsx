import { useQuery } from "@tanstack/react-query";
import { FolderX, MailWarning, MailX, UserRound } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { NativeSelect } from "../../components/ui/input";
import { userQuery } from "../auth/auth.queries";
import { type Member, memberName } from "../workspaces/members/members.queries";
import { useRole, useSelectedWorkspace } from "../workspaces/workspaces.queries";
import type { ListView } from "./list-view";

type ListFiltersProps = {
  view: ListView;
  onView: (changes: ListView) => void;
  /** Of a shared workspace. */
  members: readonly Member[] | undefined;
  /** Whether messages to recipients may not have been delivered. */
  messages: boolean;
};

const pressedClass = "aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent";

/** Whose envelopes are listed, and whether only those whose link was never opened, or whose message or a file is not delivered. */
export const ListFilters = memo(function ListFilters({ view, onView, members, messages }: ListFiltersProps) {
  const { t } = useTranslation("envelopes");
  const { hasFailedDeliveries } = useSelectedWorkspace() ?? {};
  const { mayEdit } = useRole();
  const { data: user } = useQuery(userQuery);
  const others = (members ?? []).filter(({ userId, role }) => userId !== user?.id && role !== "viewer");
  return (
    <>
      {members && (
        <>
          {/* Nothing is assigned to a viewer. */}
          {(mayEdit || view.mine) && (
            <Button
              aria-pressed={view.mine === true}
              onClick={() => onView({ mine: view.mine ? undefined : true, assignee: undefined })}
              className={pressedClass}
            >
              <UserRound aria-hidden />
              {t("assignee.mine")}
            </Button>
          )}
          <NativeSelect
            aria-label={t("assignee.label")}
            className="max-w-44"
            value={(!view.mine && view.assignee) || ""}
            onChange={({ target }) =>
              onView({ assignee: Number(target.value) || undefined, mine: undefined })
            }
            options={[
              { value: "", label: t("assignee.anybody") },
              ...others.map((member) => ({ value: String(member.userId), label: memberName(member) })),
            ]}
          />
        </>
      )}
      <Button
        aria-pressed={view.opened === "never"}
        onClick={() => onView({ opened: view.opened ? undefined : "never" })}
        className={pressedClass}
      >
        <MailWarning aria-hidden />
        {t("neverOpened")}
      </Button>
      {(messages || view.messages) && (
        <Button
          aria-pressed={view.messages === "undelivered"}
          onClick={() => onView({ messages: view.messages ? undefined : "undelivered" })}
          className={pressedClass}
        >
          <MailX aria-hidden />
          {t("messageNotDelivered")}
        </Button>
      )}
      {(hasFailedDeliveries || view.deliveries) && (
        <Button
          aria-pressed={view.deliveries === "failed"}
          onClick={() => onView({ deliveries: view.deliveries ? undefined : "failed" })}
          className={pressedClass}
        >
          <FolderX aria-hidden />
          {t("notDelivered")}
        </Button>
      )}
    </>
  );
});
