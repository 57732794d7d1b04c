import { Select } from "../../components/ui/select";
import { type Member, memberName } from "../workspaces/members/members.queries";

type AssigneeSelectProps = {
  members: readonly Member[];
  value: number;
  onChange: (userId: number) => void;
  disabled?: boolean;
  /** The name, if no Field provides one. */
  label?: string;
};

/** Chooses among the members and owners. */
export function AssigneeSelect({ members, ...props }: AssigneeSelectProps) {
  const options = members
    .filter(({ role }) => role !== "viewer")
    .map((member) => ({
      value: member.userId,
      label: memberName(member),
      ...(member.email !== memberName(member) && { detail: member.email }),
    }));
  return <Select {...props} options={options} />;
}
