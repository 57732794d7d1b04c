import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PercentCrop, ReactCrop } from "react-image-crop";
import { ErrorDialog } from "../../../components/ui/alert-dialog";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { FieldError } from "../../../components/ui/field";
import { errorText } from "../../../lib/error-text";
import { useCloseOnBack } from "../../../lib/use-close-on-back";
import { useUploadAvatar } from "../settings.queries";
import { CropError, type CropFailure, cropToJpeg, drawCrop, initialCrop, PREVIEW_SIDE } from "./crop-image";

export default function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const { t, i18n } = useTranslation(["profile", "common", "errors", "validation"]);
  const [image, setImage] = useState<HTMLImageElement>();
  const [crop, setCrop] = useState<PercentCrop>();
  const [failure, setFailure] = useState<CropFailure | "loadFailed" | null>(null);
  const upload = useUploadAvatar();
  const url = useObjectUrl(file);
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
      {/* Arrow keys move the area by 1 px, with Shift by 10, with Ctrl by 100. */}
      <div className="flex justify-center overflow-hidden rounded-card bg-sunken">
        <ReactCrop
          {...(crop && { crop })}
          onChange={(_pixels, percent) => setCrop(percent)}
          aspect={1}
          circularCrop
          keepSelection
          minWidth={24}
          ariaLabels={{
            cropArea: t("crop.area"),
            nwDragHandle: t("crop.handles.nw"),
            nDragHandle: t("crop.handles.n"),
            neDragHandle: t("crop.handles.ne"),
            eDragHandle: t("crop.handles.e"),
            seDragHandle: t("crop.handles.se"),
            sDragHandle: t("crop.handles.s"),
            swDragHandle: t("crop.handles.sw"),
            wDragHandle: t("crop.handles.w"),
          }}
        >
          {url && (
            <img
              src={url}
              alt=""
              onLoad={({ currentTarget }) => {
                setImage(currentTarget);
                setCrop(initialCrop(currentTarget.width, currentTarget.height));
              }}
              onError={() => setFailure("loadFailed")}
              className="block max-h-[50vh] max-w-full"
            />
          )}
        </ReactCrop>
      </div>
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

function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

type CropPreviewProps = { image: HTMLImageElement; crop: PercentCrop; onFailure: () => void };

/** A live preview of the cropped picture. */
function CropPreview({ image, crop, onFailure }: CropPreviewProps) {
  const { t } = useTranslation("profile");
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return;
    try {
      drawCrop(image, crop, canvas.current, PREVIEW_SIDE * Math.max(1, Math.round(devicePixelRatio)));
    } catch {
      onFailure();
    }
  }, [image, crop, onFailure]);
  return (
    <div className="mt-4 flex items-center gap-4">
      <canvas
        ref={canvas}
        role="img"
        aria-label={t("crop.preview")}
        className="size-20 rounded-full border border-line bg-sunken"
      />
      <span aria-hidden className="text-ink-soft">
        {t("crop.preview")}
      </span>
    </div>
  );
}
