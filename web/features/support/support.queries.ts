import { useMutation } from "@tanstack/react-query";
import { api } from "../../lib/api";

export function useSendSupportMessage() {
  return useMutation({
    mutationFn: (message: string) => api.support.messages.$post({ json: { message } }),
    meta: { failure: { title: "support:failed" } },
  });
}
