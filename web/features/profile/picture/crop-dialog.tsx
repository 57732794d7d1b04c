import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PercentCrop } from "react-image-crop";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { ErrorDialog } from "../../../components/ui/error-dialog";
import { FieldError } from "../../../components/ui/field";
import { errorText } from "../../../lib/error-text";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useUploadAvatar } from "../profile.queries";
import { CropArea } from "./crop-area";
import { CropError, type CropFailure, cropToJpeg, initialCrop } from "./crop-image";
import { CropPreview } from "./crop-preview";

type CropDialogProps = { file: File; onClose: () => void };

export default function CropDialog({ file, onClose }: CropDialogProps) {
  const { t, i18n } = useTranslation(["profile", "common", "errors", "validation"]);
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState<PercentCrop>();
  const [failure, setFailure] = useState<CropFailure | "loadFailed" | null>(null);
  const upload = useUploadAvatar();
  const previewFailed = useCallback(() => setFailure("cropFailed"), []);
  useCloseOnBack(true, onClose);

  const save = async () => {
    if (!image || !crop) return;
    try {
      upload.mutate(await cropToJpeg(image, crop), { onSuccess: onClose });
    } catch (error) {
      setFailure(error instanceof CropError ? error.failure : "cropFailed");
    }
  };
  if (failure === "loadFailed")
    return <ErrorDialog title={t("crop.errorTitle")} text={t("crop.loadFailed")} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("crop.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button variant="primary" loading={upload.isPending} disabled={!crop} onClick={() => void save()}>
            {t("common:save")}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-ink-soft">{t("crop.text")}</p>
      <CropArea
        file={file}
        crop={crop}
        onCrop={setCrop}
        onLoad={(loaded) => {
          setImage(loaded);
          setCrop(initialCrop(loaded.width, loaded.height));
        }}
        onError={() => setFailure("loadFailed")}
      />
      {image && crop && <CropPreview image={image} crop={crop} onFailure={previewFailed} />}
      {upload.isError && (
        <div className="mt-4">
          <FieldError>{errorText(upload.error, i18n.t)}</FieldError>
        </div>
      )}
      {failure && (
        <ErrorDialog
          title={t("crop.errorTitle")}
          text={t(`crop.${failure}`)}
          onClose={() => setFailure(null)}
        />
      )}
    </Dialog>
  );
}
