/** Sets of file types that requestors choose with one press. */
export const FILE_TYPE_PRESETS = {
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
} as const;

export type FileTypePreset = keyof typeof FILE_TYPE_PRESETS;

export const PRESET_NAMES = Object.keys(FILE_TYPE_PRESETS) as FileTypePreset[];
