import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type BunPlugin, build, file } from "bun";
import { buildWeb } from "../../web/build";
import { definedRevision } from "../adapters/bun/revision";
import { StartError } from "../adapters/bun/start-error";
import { errorMessage } from "./messages";

const ROOT = join(import.meta.dir, "../..");
const require = createRequire(import.meta.url);
/** The dynamic require by which libsql loads its native library. */
const NATIVE_REQUIRE = /require\(`@libsql\/\$\{target\}`\)/;

/** Bundles server, commands, web app, migrations and libSQL into one executable. */
async function compile(outfile: string): Promise<void> {
  await buildWeb();
  const result = await build({
    entrypoints: [join(import.meta.dir, "doculopes.ts")],
    target: "bun",
    format: "esm",
    minify: true,
    // Starts in 0.6 of the time, because nothing is parsed; what is not needed is not loaded.
    bytecode: true,
    splitting: true,
    compile: {
      outfile,
      assets: [join(ROOT, "web/dist"), join(ROOT, "db/migrations")],
      autoloadBunfig: false,
    },
    define: {
      ...definedRevision(process.env),
      BUILT_WEB_APP: '"./dist"',
      BUILT_MIGRATIONS: '"./migrations"',
    },
    plugins: [nativeLibrary(await findNativeLibrary())],
  });
  if (!result.success) throw new AggregateError(result.logs, "The executable could not be built");
}

/** The bundler cannot resolve a library whose name is computed at run time. */
function nativeLibrary(name: string): BunPlugin {
  return {
    name: "libsql",
    setup(builder) {
      builder.onLoad({ filter: /node_modules\/libsql\/index\.js$/ }, async ({ path }) => {
        const source = await file(path).text();
        if (!NATIVE_REQUIRE.test(source)) throw new Error(`${path} loads its library in an unexpected way`);
        return { contents: source.replace(NATIVE_REQUIRE, requireOrEnd(name)), loader: "js" };
      });
    },
  };
}

/**
 * The executable unpacks the library into the temporary folder, from which the system may not allow it to be loaded.
 */
const requireOrEnd = (name: string) => `(() => {
  try {
    return require(${JSON.stringify(name)});
  } catch (error) {
    const folder = process.env.BUN_TMPDIR || process.env.TMPDIR || "/tmp";
    const reason = String(error.message).split("\\n", 1)[0];
    process.stderr.write("The temporary folder " + folder + " cannot be used for the database library (" + reason
      + "); it may be mounted noexec or be full. Set BUN_TMPDIR to a folder where programs may run\\n");
    process.exit(1);
  }
})()`;

/** The installed library that loads on this machine. */
async function findNativeLibrary(): Promise<string> {
  const installed = await readdir(join(ROOT, "node_modules/@libsql"));
  const names = installed
    .filter((name) => /^(?:linux|darwin|win32)-/.test(name))
    .map((name) => `@libsql/${name}`);
  const found = names.find((name) => {
    try {
      require(name);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new StartError("libSQL has no library for this machine; has `bun install` been run?");
  return found;
}

const target = process.argv[2] ?? join(ROOT, "doculopes");
try {
  await compile(target);
  const megabytes = Math.round(file(target).size / 1_000_000);
  process.stdout.write(`${target}, ${megabytes} MB, self-contained\n`);
} catch (error) {
  process.stderr.write(
    `${error instanceof AggregateError ? error.errors.join("\n") : errorMessage(error)}\n`,
  );
  process.exit(1);
}
