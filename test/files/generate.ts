import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import { REAL_FILES, SOURCES } from "./table";

/**
 * Writes the files of the table that do not exist yet to `real/`, with the programs of this machine (on Debian: imagemagick
 * graphicsmagick libtiff-tools ghostscript qpdf libheif-examples libavif-bin webp ffmpeg lame sox poppler-utils mupdf-tools
 * librsvg2-bin img2pdf pandoc groff libreoffice gnumeric exiftool p7zip-full zip default-jdk-headless sqlite3 and
 * python3-{pil,docx,openpyxl,xlwt,reportlab}; with `NODE_PATH`, the packages xlsx, docx, exceljs, pptxgenjs and pdf-lib).
 */
const folder = join(import.meta.dir, "real");
const present = new Set(await readdir(folder));
const missing = REAL_FILES.filter(({ name }) => !present.has(name));
const work = await mkdtemp(join(tmpdir(), "real-files-"));
const run = (command: string, out = "") =>
  $`bash -e -c ${command}`
    .cwd(work)
    .env({ ...process.env, OUT: out })
    .quiet();

try {
  if (missing.length > 0) for (const command of SOURCES) await run(command);
  for (const { name, command } of missing) {
    const out = join(folder, name);
    await run(command, out).catch((error) => {
      process.stderr.write(`${name}: ${error.stderr ?? error}\n`);
      process.exitCode = 1;
    });
    const { size } = await stat(out).catch(() => ({ size: 0 }));
    process.stdout.write(`${name} ${size}\n`);
  }
} finally {
  await rm(work, { recursive: true });
}
