import { useTranslation } from "react-i18next";
import { Select } from "../../components/ui/select";
import { type Member, memberName } from "../workspaces/members/members.queries";

type AssigneeSelectProps = {
  members: readonly Member[];
  value: number;
  onChange: (userId: number) => void;
  disabled?: boolean;
  /** The name, if no Field provides one. */
  label?: string;
  /** How much each has that is not done, by their ids. */
  loads?: ReadonlyMap<number, number> | undefined;
};

/** Chooses among the members and owners. */
export function AssigneeSelect({ members, loads, ...props }: AssigneeSelectProps) {
  const { t } = useTranslation("envelopes");
  const options = members
    .filter(({ role }) => role !== "viewer")
    .map((member) => {
      const detail = [
        member.email !== memberName(member) && member.email,
        loads && t("assignee.open", { count: loads.get(member.userId) ?? 0 }),
      ];
      return {
        value: member.userId,
        label: memberName(member),
        ...(detail.some(Boolean) && { detail: detail.filter(Boolean).join(" · ") }),
      };
    });
  return <Select {...props} placeholder={t("assignee.choose")} options={options} />;
}
