import { Children } from "react";

/** The last characters of a name that stay together: some of the name, and its extension. */
const END = /.{0,6}\.[^.\s]{1,8}$/u;

/**
 * A file name that is never broken within or before its extension, and rather after a separator than elsewhere;
 * `truncated` shortens it before its end.
 */
export function FileName({ name, truncated = false }: { name: string; truncated?: boolean }) {
  const end = END.exec(name)?.[0] ?? "";
  const beginning = name.slice(0, name.length - end.length);
  if (truncated)
    return (
      <span translate="no" title={name} className="flex min-w-0">
        {/* As one word, which two boxes are not. */}
        <span className="sr-only">{name}</span>
        <span aria-hidden className="overflow-hidden text-ellipsis whitespace-pre">
          {beginning}
        </span>
        <span aria-hidden className="shrink-0 whitespace-pre">
          {end}
        </span>
      </span>
    );
  return (
    <span translate="no" className="[overflow-wrap:anywhere]">
      {Children.map(beginning.split(/(?<=[_.-])(?=[^_.-])/), (part, index) => (
        <>
          {index > 0 && <wbr />}
          <span>{part}</span>
        </>
      ))}
      <span className="whitespace-nowrap">{end}</span>
    </span>
  );
}
