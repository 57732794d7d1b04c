import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { SearchInput } from "../../../components/ui/input";
import { MoreButton } from "../../../components/ui/query-placeholder";
import { useFormat } from "../../../lib/use-format";
import { useDelayed } from "../../../lib/use-url-input";
import { userQuery } from "../../auth/auth.queries";
import { type Account, accountsQuery } from "../administration.queries";
import { Section, SectionPlaceholder } from "../section";
import { AccountDialog } from "./account-dialog";

export function AccountsSection() {
  const { t } = useTranslation("administration");
  const [words, setWords] = useState("");
  const search = useDelayed(words.trim());
  const query = useInfiniteQuery(accountsQuery(search));
  const [openId, setOpenId] = useState<number>();
  const { data: accounts } = query;
  const open = accounts?.find(({ id }) => id === openId);
  return (
    <Section title={t("accounts.title")} text={t("accounts.text")}>
      <SearchInput
        label={t("accounts.search")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="mb-3 max-w-sm"
      />
      {!accounts && <SectionPlaceholder query={query} />}
      {accounts?.length === 0 && <p className="text-ink-soft">{t("accounts.none")}</p>}
      {accounts && accounts.length > 0 && (
        <table className="w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-surface text-left">
          <thead className="max-sm:sr-only">
            <tr className="text-ink-soft [&>th]:border-line [&>th]:border-b [&>th]:px-4 [&>th]:py-2.5 [&>th]:font-medium">
              <th scope="col">{t("accounts.account")}</th>
              <th scope="col" className="w-28 text-right max-sm:hidden">
                {t("accounts.envelopes")}
              </th>
              <th scope="col" className="w-28 text-right max-sm:hidden">
                {t("accounts.storage")}
              </th>
              <th scope="col" className="w-40 max-md:hidden">
                {t("accounts.lastSeen")}
              </th>
            </tr>
          </thead>
          <tbody className="[&>tr:not(:last-child)>td]:border-line [&>tr:not(:last-child)>td]:border-b">
            {accounts.map((account) => (
              <AccountRow key={account.id} account={account} onOpen={() => setOpenId(account.id)} />
            ))}
          </tbody>
        </table>
      )}
      <MoreButton query={query} label={t("more")} className="mt-3" />
      {open && <AccountDialog account={open} onClose={() => setOpenId(undefined)} />}
    </Section>
  );
}

function AccountRow({ account, onOpen }: { account: Account; onOpen: () => void }) {
  const { t } = useTranslation("administration");
  const format = useFormat();
  const { data: user } = useQuery(userQuery);
  const { email, firstName, lastName, envelopes, storageBytes, lastSeenAt } = account;
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return (
    <tr className="group [&>td]:px-4 [&>td]:py-3">
      <td className="relative min-w-0 group-hover:bg-hover">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            onClick={onOpen}
            className="min-w-0 max-w-full break-words text-left font-medium underline-offset-4 outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            {email}
          </button>
          {account.isAdministrator && <Badge>{t("accounts.administrator")}</Badge>}
          {account.disabledAt && <Badge tone="bad">{t("accounts.disabled")}</Badge>}
          {!account.isVerified && <Badge tone="outline">{t("accounts.unverified")}</Badge>}
          {account.id === user?.id && <Badge tone="secondary">{t("accounts.you")}</Badge>}
        </div>
        {name && <p className="break-words text-ink-soft text-xs">{name}</p>}
        <p className="break-words text-ink-soft text-xs sm:hidden">
          {t("accounts.use", { envelopes: format.number(envelopes), size: format.size(storageBytes) })}
        </p>
      </td>
      <td className="text-right tabular-nums group-hover:bg-hover max-sm:hidden">
        {format.number(envelopes)}
      </td>
      <td className="text-right tabular-nums group-hover:bg-hover max-sm:hidden">
        {format.size(storageBytes)}
      </td>
      <td className="group-hover:bg-hover max-md:hidden">
        {lastSeenAt ? format.relative(lastSeenAt) : t("accounts.never")}
      </td>
    </tr>
  );
}
