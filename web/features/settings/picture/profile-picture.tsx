import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../../../components/ui/avatar";
import { Button } from "../../../components/ui/button";
import type { User } from "../../auth/auth.queries";

const CropDialog = lazy(() => import("./crop-dialog"));

/** The picture and its replacement: choose a file, crop it, upload it. */
export function ProfilePicture({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-5">
      <Avatar name={user.firstName || user.email} url={user.avatarUrl} className="size-20 text-2xl" />
      <div className="min-w-0">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ target }) => {
            setFile(target.files?.[0] ?? null);
            // Lets the same file be chosen again.
            target.value = "";
          }}
        />
        <Button onClick={() => input.current?.click()}>{t("picture.change")}</Button>
        <p className="mt-2 text-ink-soft text-xs">{t("picture.hint")}</p>
      </div>
      {file && (
        <Suspense>
          <CropDialog file={file} onClose={() => setFile(null)} />
        </Suspense>
      )}
    </div>
  );
}
