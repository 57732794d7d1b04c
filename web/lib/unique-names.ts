import { rawCheck } from "valibot";
import { says } from "./form";

/** Refuses a name that an earlier entry of the list already has, compared without case; blank ones do not count. */
export const uniqueNames = <Entry extends { name: string }>() =>
  rawCheck<Entry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const list = dataset.value;
    const seen = new Set<string>();
    list.forEach((entry, place) => {
      const name = entry.name.trim().toLowerCase();
      if (seen.has(name))
        addIssue({
          message: says("documentNamesUnique"),
          path: [
            { type: "array", origin: "value", input: list, key: place, value: entry },
            { type: "object", origin: "value", input: { ...entry }, key: "name", value: entry.name },
          ],
        });
      if (name) seen.add(name);
    });
  });
