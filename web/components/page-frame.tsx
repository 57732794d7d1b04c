import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Language } from "../../worker/contract/options";
import { PreviewFrame } from "./preview-frame";
import type { Look } from "./preview-look";

type PageFrameProps = {
  title: string;
  look: Look;
  language: Language;
  /** Whether what is shown can be used. */
  live: boolean;
  /** Called with the root element of each document that the frame shows. */
  onPage: (root: HTMLElement) => void;
  children: ReactNode;
};

/** Any link's page: it has the styles of all. */
const PAGE = "/submit/preview";

/** The children with the styles of the recipient's page. */
export function PageFrame({ title, look, language, live, onPage, children }: PageFrameProps) {
  const [page, setPage] = useState<Document | null>(null);
  const { data: styles } = useQuery({ queryKey: ["page styles"], queryFn: findStyles });
  useEffect(() => {
    if (!page) return;
    const { documentElement, body } = page;
    documentElement.dataset.theme = look.theme;
    documentElement.lang = language;
    // As high as what it shows, not as the frame.
    body.style.minHeight = "0";
    body.inert = !live;
  }, [page, look.theme, language, live]);
  useEffect(() => {
    if (!page || !live) return;
    // The dialog around the frame sees no key that is pressed in it.
    const forward = ({ key }: KeyboardEvent) => {
      if (key === "Escape") dispatchEvent(new KeyboardEvent("keydown", { key }));
    };
    page.addEventListener("keydown", forward);
    return () => page.removeEventListener("keydown", forward);
  }, [page, live]);
  if (!styles) return null;
  return (
    <>
      <PreviewFrame
        title={title}
        live={live}
        device={look.device}
        html={`<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${styles}">`}
        onPage={(shown) => {
          setPage(shown);
          onPage(shown.documentElement);
        }}
      />
      {page && createPortal(children, page.body)}
    </>
  );
}

/** The address of the style sheet, which has another name after each change. */
async function findStyles(): Promise<string> {
  const response = await fetch(PAGE);
  const [, address] = /href="(\/assets\/[\w-]+\.css)"/.exec(await response.text()) ?? [];
  if (!address) throw new Error("The recipient's page names no style sheet");
  return address;
}
