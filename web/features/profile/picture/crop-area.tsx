import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PercentCrop, ReactCrop } from "react-image-crop";

type CropAreaProps = {
  file: File;
  crop: PercentCrop | undefined;
  onCrop: (crop: PercentCrop) => void;
  onLoad: (image: HTMLImageElement) => void;
  onError: () => void;
};

/** The picture with a circular crop area. Arrow keys move it by 1 px, with Shift by 10, with Ctrl by 100. */
export function CropArea({ file, crop, onCrop, onLoad, onError }: CropAreaProps) {
  const { t } = useTranslation("profile");
  const url = useObjectUrl(file);
  return (
    <div className="flex justify-center overflow-hidden rounded-card bg-sunken">
      <ReactCrop
        {...(crop && { crop })}
        onChange={(_pixels, percent) => onCrop(percent)}
        aspect={1}
        circularCrop
        keepSelection
        minWidth={24}
        className="[--rc-drag-handle-size:24px]"
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
            onLoad={({ currentTarget }) => onLoad(currentTarget)}
            onError={onError}
            className="block max-h-[50vh] max-w-full"
          />
        )}
      </ReactCrop>
    </div>
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
