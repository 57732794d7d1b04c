import axe from "axe-core";

/** The violations that axe reports for the current page, as short lines. */
export async function violations(tags: string[]): Promise<string[]> {
  const { violations: found } = await axe.run(document, { runOnly: tags });
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
