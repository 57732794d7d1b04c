import { Link } from "@tanstack/react-router";

type SectionLinksProps = {
  to: "/profile" | "/workspace";
  /** Names the list, unless something around it has the name. */
  label?: string;
  links: readonly { id: string; label: string }[];
};

/** Links to the sections of a settings page. */
export function SectionLinks({ to, label, links }: SectionLinksProps) {
  return (
    <ul aria-label={label} className="mb-6 flex flex-wrap gap-x-5 gap-y-1">
      {links.map(({ id, label: text }) => (
        <li key={id}>
          <Link
            to={to}
            search
            hash={id}
            ignoreBlocker
            activeOptions={{ includeHash: true }}
            className="inline-flex touch:min-h-10 touch:min-w-10 items-center rounded-sm text-accent hover:underline"
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
