import { useEffect } from "react";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** Names the document "title | product". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${PRODUCT_NAME}`;
  }, [title]);
}
