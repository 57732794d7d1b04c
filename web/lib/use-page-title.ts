import { useEffect } from "react";
import { PRODUCT_NAME } from "../../worker/contract/product";

/** Sets the document's title to "title | product", or to the product's name alone. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === PRODUCT_NAME ? title : `${title} | ${PRODUCT_NAME}`;
  }, [title]);
}
