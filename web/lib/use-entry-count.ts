import { useTranslation } from "react-i18next";

type Entry = { kind: string };

/** "2 documents · 3 questions" */
export function useEntryCount() {
  const { t } = useTranslation();
  const count = (documents: number, questions: number) =>
    [
      documents > 0 && t("entries.documents", { count: documents }),
      questions > 0 && t("entries.questions", { count: questions }),
    ]
      .filter(Boolean)
      .join(" · ");
  return {
    count,
    countOf(entries: readonly Entry[]) {
      const documents = entries.filter(({ kind }) => kind === "file").length;
      return count(documents, entries.length - documents);
    },
  };
}
