import { expect, test } from "bun:test";
import { freeName } from "../../web/components/document-list";
import { FILE_TYPE_PRESETS, PRESET_NAMES, presetOf } from "../../web/components/file-types-field";
import { acceptAttribute } from "../../web/features/submit/files/check-file";
import { LIMITS } from "../../worker/contract/limits";

test("every preset is within the limit", () => {
  for (const preset of PRESET_NAMES)
    expect(FILE_TYPE_PRESETS[preset].length).toBeLessThanOrEqual(LIMITS.fileTypesPerDocument);
});

test("a photo or scan offers the camera of a phone", () => {
  const accept = acceptAttribute({ allowedFileTypes: [...FILE_TYPE_PRESETS.photo] });
  expect(accept.split(",")).toContain("image/jpeg");
});

test("a preset is recognized by its types in any order, and the specified default is one", () => {
  for (const preset of PRESET_NAMES) expect(presetOf([...FILE_TYPE_PRESETS[preset]].reverse())).toBe(preset);
  expect(presetOf(["pdf", "doc", "docx"])).toBe("document");
  expect(presetOf(["pdf", "png"])).toBeUndefined();
  expect(presetOf([])).toBeUndefined();
});

test("the copy of a document has a name that no other document has", () => {
  const names = (...list: string[]) => list.map((name) => ({ name }));
  expect(freeName("Payslip", names("Payslip"))).toBe("Payslip 2");
  expect(freeName("Payslip 2", names("Payslip", "payslip 2", "Payslip 3"))).toBe("Payslip 4");
  expect(freeName("", names(""))).toBe("");
});
