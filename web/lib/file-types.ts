import { DEFAULT_FILE_TYPES } from "../../worker/contract/options";

/** Sets of file types that requestors choose with one press. */
export const FILE_TYPE_PRESETS = {
  document: DEFAULT_FILE_TYPES,
  pdf: ["pdf"],
  /** With an image among the types, a phone's file picker offers the camera. */
  photo: ["jpg", "jpeg", "png", "heic", "pdf"],
  word: ["doc", "docx"],
  spreadsheet: ["xls", "xlsx", "csv"],
  anything: [
    "pdf",
    "doc",
    "docx",
    "xls",
    "xlsx",
    "csv",
    "ppt",
    "pptx",
    "txt",
    "jpg",
    "jpeg",
    "png",
    "heic",
    "zip",
  ],
} as const satisfies Record<string, readonly string[]>;

export type FileTypePreset = keyof typeof FILE_TYPE_PRESETS;

export const PRESET_NAMES = Object.keys(FILE_TYPE_PRESETS) as FileTypePreset[];

/** The preset that has exactly these types, in any order. */
export function presetOf(types: readonly string[]): FileTypePreset | undefined {
  const chosen = new Set(types);
  return PRESET_NAMES.find((preset) => {
    const own: readonly string[] = FILE_TYPE_PRESETS[preset];
    return own.length === chosen.size && own.every((type) => chosen.has(type));
  });
}

/** What people call files with these extensions. */
const KINDS = {
  photo: ["jpg", "jpeg", "png", "heic", "heif", "gif", "webp", "tif", "tiff"],
  pdf: ["pdf"],
  word: ["doc", "docx"],
  spreadsheet: ["xls", "xlsx", "csv", "ods"],
  presentation: ["ppt", "pptx"],
  text: ["txt"],
  archive: ["zip"],
} as const satisfies Record<string, readonly string[]>;

type FileKind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as FileKind[];

/** The kinds of the types, each once; a type of no kind stands for itself. */
export function kindsOf(types: readonly string[]): { kind: FileKind | undefined; type: string }[] {
  const found = new Map<string, { kind: FileKind | undefined; type: string }>();
  for (const type of types) {
    const kind = KIND_NAMES.find((name) => (KINDS[name] as readonly string[]).includes(type));
    found.set(kind ?? `.${type}`, { kind, type });
  }
  return [...found.values()];
}
