import { expect, test } from "bun:test";
import { acceptAttribute } from "../../web/features/submit/files/check-file";
import { FILE_TYPE_PRESETS, PRESET_NAMES } from "../../web/lib/file-type-presets";
import { LIMITS } from "../../worker/contract/limits";

test("every preset is within the limit", () => {
  for (const preset of PRESET_NAMES)
    expect(FILE_TYPE_PRESETS[preset].length).toBeLessThanOrEqual(LIMITS.fileTypesPerDocument);
});

test("a photo or scan offers the camera of a phone", () => {
  const accept = acceptAttribute({ allowedFileTypes: [...FILE_TYPE_PRESETS.photo] });
  expect(accept.split(",")).toContain("image/jpeg");
});
