import { useEffect } from "react";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** Names the document "title | product", or the product alone on the page that bears its name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === PRODUCT_NAME ? title : `${title} | ${PRODUCT_NAME}`;
  }, [title]);
}
