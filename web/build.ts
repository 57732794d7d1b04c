import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, posix, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { minify as minifyScript } from "@swc/core";
import { type BunPlugin, file, Glob, spawn, write } from "bun";
import { PRODUCT_NAME } from "../worker/contract/product";
import { PAGE_TEXTS } from "./app/pages";
import { completePage, PAGES } from "./build-page";

const WEB = import.meta.dir;
const ROOT = dirname(WEB);
const DIST = join(WEB, "dist");
const STAMP = "build.json";
/** Files of web/public, copied under their names. The bundler would look for them next to the page. */
const ICONS = [
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
  '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  '<link rel="manifest" href="/manifest.webmanifest">',
].join("");
const COMPRESSIBLE = /\.(?:html|js|css|json|svg|webmanifest|txt)$/;
/** The files that the output depends on. A change in one of them causes a new build. */
const SOURCES = ["web/**/*", "locales/*/*.json", "worker/contract/*.ts", "package.json", "bun.lock"];

export type BuildOptions = {
  force?: boolean;
  /** Minifies the output and stores compressed copies of it. Off for development. */
  minify?: boolean;
};

/**
 * Builds the web app into `web/dist`, unless its sources are unchanged since the last build. @returns whether it built
 */
export async function buildWeb({ force = false, minify = true }: BuildOptions = {}): Promise<boolean> {
  const stamp = await hashSources(SOURCES, String(minify));
  const last = await file(join(DIST, STAMP))
    .json()
    .catch(() => null);
  if (!force && last?.stamp === stamp) return false;

  // Two processes may build at once: each builds into its own folder, and renames it when complete.
  const out = `${DIST}.${process.pid}`;
  await rm(out, { recursive: true, force: true });
  try {
    await bundle(out, minify);
    await cp(join(WEB, "public"), out, { recursive: true });
    await copyLocales(out);
    await copyPdfjs(out);
    await finishPages(out);
    if (minify) {
      await shrinkScripts(out);
      await compress(out);
    }
    const assets = await readdir(join(out, "assets"));
    await keepAssets(last?.assets ?? [], join(DIST, "assets"), join(out, "assets"));
    await write(join(out, STAMP), JSON.stringify({ stamp, assets }));
    await swapIn(out);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
  return true;
}

/** @returns a hash of the files that match the patterns, relative to the repository's root, and of the options */
export async function hashSources(patterns: readonly string[], options = ""): Promise<string> {
  const hash = createHash("sha256").update(`${Bun.version} ${options}`);
  for (const pattern of patterns) {
    const paths = await Array.fromAsync(new Glob(pattern).scan({ cwd: ROOT }));
    for (const path of paths.filter((path) => !path.startsWith("web/dist")).sort()) {
      hash.update(`\0${path}\0`).update(await file(join(ROOT, path)).bytes());
    }
  }
  return hash.digest("hex");
}

async function bundle(out: string, minify: boolean): Promise<void> {
  // Bundles each page separately, so that the small pages contain no code of the app.
  for (const [page, { condition }] of Object.entries(PAGES))
    await bundlePage(page, { out, minify, conditions: condition ? [condition] : [] });
}

type Bundling = { out: string; minify: boolean; conditions: string[] };

async function bundlePage(page: string, { out, minify, conditions }: Bundling): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(WEB, page)],
    outdir: out,
    root: WEB,
    target: "browser",
    splitting: true,
    conditions,
    // Each chunk is a request, so smaller ones join a chunk that is loaded with them.
    minChunkSize: 16_384,
    minify,
    sourcemap: minify ? "none" : "linked",
    publicPath: "/",
    plugins: [tailwind(minify)],
    define: { "process.env.NODE_ENV": JSON.stringify(minify ? "production" : "development") },
    naming: {
      entry: "[dir]/[name].[ext]",
      chunk: "assets/[name]-[hash].[ext]",
      asset: "assets/[name]-[hash].[ext]",
    },
  });
  if (!result.success) throw new AggregateError(result.logs, "The web app could not be built");
}

/** Bun's bundler does not support Tailwind, so Tailwind's CLI compiles our style sheets first. */
function tailwind(minify: boolean): BunPlugin {
  return {
    name: "tailwind",
    setup(build) {
      build.onLoad({ filter: /web\/styles\/[\w-]+\.css$/ }, async ({ path }) => {
        const command = join(ROOT, "node_modules/@tailwindcss/cli/dist/index.mjs");
        const tool = spawn(
          [process.execPath, command, "--input", path, "--output", "-", ...(minify ? ["--minify"] : [])],
          { cwd: WEB, stdout: "pipe", stderr: "pipe" },
        );
        const [contents, problems] = await Promise.all([
          new Response(tool.stdout).text(),
          new Response(tool.stderr).text(),
        ]);
        if ((await tool.exited) !== 0) throw new Error(`${relative(ROOT, path)}: ${problems}`);
        return { contents, loader: "css" };
      });
    },
  };
}

async function copyLocales(out: string): Promise<void> {
  for await (const path of new Glob("*/*.json").scan({ cwd: join(ROOT, "locales") })) {
    const texts = await file(join(ROOT, "locales", path)).json();
    await write(join(out, "locales", path), JSON.stringify(texts));
  }
}

/**
 * Copies what pdf.js loads on demand: its worker, the decoders of scanned images (without WebAssembly, which the
 * security policy forbids), the character maps of Asian fonts, and the standard fonts.
 */
async function copyPdfjs(out: string): Promise<void> {
  const source = join(ROOT, "node_modules/pdfjs-dist");
  const { version } = await file(join(source, "package.json")).json();
  const target = join(out, "pdfjs", version);
  await cp(join(source, "legacy/build/pdf.worker.min.mjs"), join(target, "pdf.worker.js"));
  for (const name of ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"])
    await cp(join(source, "wasm", name), join(target, name));
  for (const folder of ["cmaps", "standard_fonts"])
    await cp(join(source, folder), join(target, folder), { recursive: true });
  for (const path of ["LICENSE", "wasm/LICENSE_JBIG2", "wasm/LICENSE_OPENJPEG"])
    await cp(join(source, path), join(target, basename(path)));
}

/**
 * Adds the first views, the product's name and the icons to the pages. Writes the hashes of their inline scripts, which
 * set the theme before the first paint, for the Content-Security-Policy.
 */
async function finishPages(out: string): Promise<void> {
  const scriptHashes = new Set<string>();
  const [appScript] = /\/assets\/[\w-]+\.js/.exec(await file(join(out, "index.html")).text()) ?? [];
  if (!appScript) throw new Error("The app's page names no script");
  const pageChunks = await listPageChunks(out);
  for await (const page of new Glob("*.{html,webmanifest,svg}").scan({ cwd: out })) {
    const built = await file(join(out, page)).text();
    const parts = PAGES[page];
    const html = (parts ? await completePage(built, parts) : built)
      .replace("%APP_SCRIPT%", appScript)
      .replace("%PAGE_CHUNKS%", pageChunks)
      .replaceAll("%PRODUCT_NAME%", PRODUCT_NAME)
      .replace("</head>", `${ICONS}</head>`);
    await write(join(out, page), html);
    for (const [, script] of html.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
      if (script) scriptHashes.add(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    }
  }
  await write(join(out, "csp.json"), JSON.stringify({ scriptHashes: [...scriptHashes] }));
}

/** The chunks that each page of the app loads first, without those that all load: "home a b;contacts c". */
async function listPageChunks(out: string): Promise<string> {
  const chunks = await readdir(join(out, "assets"));
  const always = new Set(await loadedBy(out, "index.html"));
  const lists = Object.keys(PAGE_TEXTS).map(async (page) => {
    const own = chunks.find((name) => new RegExp(`^${page}-[a-z0-9]{8}\\.js$`).test(name));
    if (!own) throw new Error(`No chunk is called ${page}`);
    const files = await loadedBy(out, "index.html", [`assets/${own}`]);
    return [page, ...files.filter((path) => !always.has(path)).map((path) => basename(path, ".js"))].join(
      " ",
    );
  });
  return (await Promise.all(lists)).join(";");
}

/**
 * The files that a page loads before its first view: those that its HTML references, the given `chunks`, and everything
 * that they import. Paths are relative to `dist`.
 */
export async function loadedBy(
  dist: string,
  page: string,
  chunks: readonly string[] = [],
): Promise<string[]> {
  const files = new Set<string>([page]);
  const waiting = [...localPaths(await file(join(dist, page)).text()), ...chunks];
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith(".js")) continue;
    const code = await file(join(dist, path)).text();
    for (const [, target] of code.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+\.js)"/g))
      waiting.push(posix.join("assets", posix.basename(target ?? "")));
  }
  return [...files];
}

/** The scripts and style sheets that the HTML references, without icons. */
const localPaths = (html: string) =>
  [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|woff2?))"/g)].map(([, path]) => path ?? "");

/** Names that Bun has shortened compress badly: this takes 3 to 4 % off each page. */
async function shrinkScripts(out: string): Promise<void> {
  for await (const path of new Glob("assets/*.js").scan({ cwd: out, absolute: true })) {
    const { code } = await minifyScript(await file(path).text(), {
      module: true,
      compress: { ecma: 2020, passes: 3 },
    });
    await write(path, code);
  }
}

async function compress(out: string): Promise<void> {
  for await (const path of new Glob("**/*").scan({ cwd: out })) {
    if (!COMPRESSIBLE.test(path) || path === "csp.json") continue;
    const bytes = await file(join(out, path)).bytes();
    if (bytes.length < 200) continue;
    const size = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
    await write(join(out, `${path}.br`), brotliCompressSync(bytes, size));
    await write(join(out, `${path}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Pages that are open, and servers that run, still ask for assets of the last build. */
export async function keepAssets(names: readonly string[], from: string, to: string): Promise<void> {
  const present = new Set(await readdir(to));
  const kept = (await readdir(from).catch(() => [])).filter((name) => names.includes(name));
  for (const name of kept) if (!present.has(name)) await copyFile(join(from, name), join(to, name));
}

async function swapIn(out: string): Promise<void> {
  const old = `${DIST}.old.${process.pid}`;
  await mkdir(DIST, { recursive: true });
  await rename(DIST, old);
  await rename(out, DIST).catch(async (error: unknown) => {
    // Another process has renamed its own build in between, which is the same.
    if ((await readdir(DIST).catch(() => [])).length === 0) throw error;
  });
  await rm(old, { recursive: true, force: true });
}

if (import.meta.main) {
  const has = (flag: string) => process.argv.includes(flag);
  const started = performance.now();
  const built = await buildWeb({ force: has("--force"), minify: !has("--no-minify") });
  const took = `${Math.round(performance.now() - started)} ms`;
  process.stdout.write(built ? `Built web/dist in ${took}\n` : `web/dist is up to date (${took})\n`);
}
