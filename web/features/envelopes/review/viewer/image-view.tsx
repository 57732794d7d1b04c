import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Submission } from "../../envelopes.queries";
import { type View, ViewFailed } from "./view";

type Size = { width: number; height: number };

/** A picture, in the window as a whole until it is enlarged. */
export function ImageView({ file, view }: { file: Submission; view: View }) {
  const { t } = useTranslation("review");
  const [attempt, setAttempt] = useState(0);
  const [natural, setNatural] = useState<Size>();
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <ViewFailed
        file={file}
        onRetry={() => {
          setBroken(false);
          setAttempt(attempt + 1);
        }}
      />
    );
  const upright = view.rotation % 180 === 0;
  const shown = natural && fitted(upright ? natural : turned(natural), view);
  const image = shown && (upright ? shown : turned(shown));
  return (
    // A rotated picture keeps its original layout box, so the box around it gets the right size.
    <div className="relative m-auto shrink-0" style={shown}>
      <img
        key={attempt}
        src={file.url ?? undefined}
        alt={file.fileName || t("mode.documents")}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setNatural({ width: width || 300, height: height || 300 })
        }
        onError={() => setBroken(true)}
        className="absolute top-1/2 left-1/2 max-w-none bg-white"
        style={{ ...image, transform: `translate(-50%, -50%) rotate(${view.rotation}deg)` }}
      />
    </div>
  );
}

const turned = ({ width, height }: Size): Size => ({ width: height, height: width });

function fitted({ width, height }: Size, view: View): Size {
  const scale = Math.min(1, view.width / width, view.height / height) * view.zoom;
  return { width: width * scale, height: height * scale };
}
