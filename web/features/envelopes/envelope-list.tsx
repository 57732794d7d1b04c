import { RotateCw, Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { Input } from "../../components/ui/input";
import { EnvelopeTable } from "./envelope-table";
import type { Envelope } from "./envelopes.queries";

type EnvelopeListProps = {
  envelopes: Envelope[];
  startFilter: string;
  /** The rest of a long list could not be loaded. */
  partial: boolean;
  refreshing: boolean;
  onRefresh: () => void;
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
};

export function EnvelopeList(props: EnvelopeListProps) {
  const { t } = useTranslation("envelopes");
  const [filter, setFilter] = useState(props.startFilter);
  const deferredFilter = useDeferredValue(filter);
  return (
    <>
      <div className="mb-3 flex items-center gap-2">
        <div className="relative w-full sm:max-w-xs">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft"
          />
          <Input
            type="search"
            aria-label={t("filter")}
            placeholder={t("filter")}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="pl-8"
          />
        </div>
        <IconButton
          icon={RotateCw}
          label={t("refresh")}
          onClick={props.onRefresh}
          loading={props.refreshing}
          className="size-9"
        />
        {props.partial && (
          <p role="alert" className="text-warn">
            {t("partial")}
          </p>
        )}
      </div>
      <div className="@container">
        <EnvelopeTable
          envelopes={props.envelopes}
          filter={deferredFilter.trim()}
          onEdit={props.onEdit}
          onDelete={props.onDelete}
        />
      </div>
    </>
  );
}
