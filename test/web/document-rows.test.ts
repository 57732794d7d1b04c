import { expect, test } from "bun:test";
import { pastedLines } from "../../web/components/document-fields";
import { acceptAttribute } from "../../web/features/submit/files/check-file";
import { emptyDocument, fittingTypes, freeName } from "../../web/lib/document-entries";
import { FILE_TYPE_PRESETS, kindsOf, PRESET_NAMES, presetOf } from "../../web/lib/file-types";
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

test("receipts are photos or scans of several files in each language, unless other types were chosen", () => {
  const fits = (name: string, changes = {}) => fittingTypes({ ...emptyDocument(), name, ...changes });
  for (const name of [
    "Receipts and deductions",
    "Belege 2025",
    "Rechnungen",
    "Reçus",
    "Recibos",
    "発票と領収書",
    "收据",
  ])
    expect([name, fits(name)?.multiple, presetOf(fits(name)?.allowedFileTypes ?? [])]).toEqual([
      name,
      true,
      "photo",
    ]);
  for (const name of ["Passport", "Lohnabrechnung", "Belegung", ""]) expect(fits(name)).toBeUndefined();
  expect(fits("Receipts", { allowedFileTypes: ["pdf"] })).toBeUndefined();
});

test("a list of types is named by what people call the files", () => {
  expect(kindsOf(["jpg", "pdf", "png", "dwg"])).toEqual([
    { kind: "photo", type: "png" },
    { kind: "pdf", type: "pdf" },
    { kind: undefined, type: "dwg" },
  ]);
});

test("a pasted list is a name for each line, without bullets and blank lines", () => {
  expect(pastedLines("- Passport\r\n\r\n2. Payslip\n  •\tContract\tsigned ")).toEqual([
    "Passport",
    "Payslip",
    "Contract signed",
  ]);
  expect(pastedLines("2025 - Tax return")).toEqual(["2025 - Tax return"]);
});
