import axe from "axe-core";

/** What axe finds wrong on the page as it is now, as short lines. */
export async function violations(tags: string[]): Promise<string[]> {
  const { violations: found } = await axe.run(document, { runOnly: tags });
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
