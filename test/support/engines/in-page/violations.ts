import type axe from "axe-core";

declare global {
  interface Window {
    /** Injected when it is needed: it is large. */
    axe?: typeof axe;
  }
}

export const hasAxe = () => window.axe !== undefined;

/** The violations that axe reports for the current page, as short lines. */
export async function violations(tags: string[]): Promise<string[]> {
  if (!window.axe) throw new Error("axe was not injected");
  const { violations: found } = await window.axe.run(document, {
    runOnly: tags,
    resultTypes: ["violations"],
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
