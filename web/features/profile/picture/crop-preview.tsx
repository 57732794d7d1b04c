import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PercentCrop } from "react-image-crop";
import { drawCrop, PREVIEW_SIDE } from "./crop-image";

type CropPreviewProps = { image: HTMLImageElement; crop: PercentCrop; onFailure: () => void };

/** A live preview of the cropped picture. */
export function CropPreview({ image, crop, onFailure }: CropPreviewProps) {
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
