import { useEffect } from "react";
import { PRODUCT_NAME } from "../../worker/contract/product";
import { createStore } from "./store";

/** The document's title once a page has set it. */
export const pageTitle = createStore("");

/** Sets the document's title to "title | product", or to the product's name alone. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === PRODUCT_NAME ? title : `${title} | ${PRODUCT_NAME}`;
    pageTitle.set(document.title);
  }, [title]);
}
