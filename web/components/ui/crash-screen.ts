import { buttonClass } from "./button";

type CrashTexts = { title: string; text: string; reload: string };

/**
 * For `onUncaughtError` of a root, which React has emptied: says what happened, and offers a reload. Without React, which
 * an extension or a translator may have made fail.
 */
export const showCrash = (root: Element, texts: () => CrashTexts) => (error: unknown) => {
  reportError(error);
  const { title, text, reload } = texts();
  const create = <Tag extends "main" | "h1" | "p" | "button">(
    tag: Tag,
    className: string,
    textContent: string,
  ) => Object.assign(document.createElement(tag), { className, textContent });
  const heading = create("h1", "text-2xl leading-8 outline-none", title);
  const button = create("button", buttonClass({ variant: "primary", size: "lg", className: "mt-6" }), reload);
  const page = create("main", "mx-auto max-w-160 px-5 py-14 text-center", "");
  page.append(heading, create("p", "mt-2 text-ink-soft", text), button);
  button.onclick = () => location.reload();
  heading.tabIndex = -1;
  // Once React has removed the page.
  setTimeout(() => {
    root.replaceChildren(page);
    heading.focus();
  });
};
