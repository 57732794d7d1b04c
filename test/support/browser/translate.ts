/** Replaces each text by `<font><font>`, and again after each change, as Chrome's translator does, which changes the page's language too. */
export function translate(): void {
  const SKIPPED = "script, style, noscript, textarea, font";
  const replace = (node: Node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found: Node[] = node instanceof Text ? [node] : [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      if (!text.textContent?.trim() || !text.parentElement || text.parentElement.closest(SKIPPED)) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.append(text.textContent);
      outer.append(inner);
      (text as Text).replaceWith(outer);
    }
  };
  replace(document.body);
  document.documentElement.lang = "it";
  new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes)
      for (const node of type === "characterData" ? [target] : addedNodes)
        if (node.isConnected) replace(node);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
