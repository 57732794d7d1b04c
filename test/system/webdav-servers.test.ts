import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Subprocess, spawn, spawnSync, which } from "bun";
import { createPublicFetch } from "../../worker/adapters/bun/public-fetch";
import { createWebdavDestination } from "../../worker/adapters/shared/destinations/webdav";
import { type TestDestination, testDestination } from "../contract/destination-suite";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

const PATH = `${process.env.PATH}:/usr/sbin`;
const USER = "office";
const PASSWORD = "secret";
const MODULES = "/usr/lib/apache2/modules";
const APACHE_MODULES = [
  "mpm_event",
  "authn_core",
  "authn_file",
  "authz_core",
  "authz_user",
  "auth_basic",
  "dav",
  "dav_fs",
  "alias",
];

type Server = { port: number; folder: string; files: string };

/** The commands that start each server, with Basic authentication, on a folder. */
const SERVERS: Record<string, (server: Server) => Promise<string[]>> = {
  async Apache({ port, folder, files }) {
    const config = `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
${APACHE_MODULES.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join("\n")}
DavLockDB ${folder}/locks
DocumentRoot ${files}
<Directory ${files}>
  Dav On
  AuthType Basic
  AuthName files
  AuthUserFile ${folder}/users
  Require valid-user
</Directory>
`;
    await Bun.write(join(folder, "apache.conf"), config);
    return ["apache2", "-X", "-f", join(folder, "apache.conf")];
  },
  async nginx({ port, folder, files }) {
    const config = `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    root ${files};
    client_max_body_size 0;
    dav_methods PUT DELETE MKCOL COPY MOVE;
    auth_basic files;
    auth_basic_user_file ${folder}/users;
  }
}`;
    await Bun.write(join(folder, "nginx.conf"), config);
    return ["nginx", "-c", join(folder, "nginx.conf")];
  },
  rclone: async ({ port, files }) => [
    ...[
      "rclone",
      "serve",
      "webdav",
      files,
      "--addr",
      `127.0.0.1:${port}`,
      "--user",
      USER,
      "--pass",
      PASSWORD,
    ],
    ...["--config", "/dev/null", "--vfs-cache-mode", "off"],
  ],
};

for (const [name, commandOf] of Object.entries(SERVERS))
  testDestination(`${name}, a real WebDAV server`, async () => startServer(name, commandOf), {
    refuses: false,
  });

async function startServer(
  name: string,
  commandOf: (server: Server) => Promise<string[]>,
): Promise<TestDestination> {
  const folder = makeFolder();
  const files = join(folder, "files");
  spawnSync(["mkdir", files]);
  // They run as another user if the tests run as root.
  spawnSync(["chmod", "-R", "777", folder]);
  const hash = spawnSync(["openssl", "passwd", "-apr1", PASSWORD]).stdout.toString().trim();
  await Bun.write(join(folder, "users"), `${USER}:${hash}\n`);
  const port = freePort();
  const [program = "", ...rest] = await commandOf({ port, folder, files });
  const found = which(program, { PATH });
  if (!found) throw new Error(`There is no ${program}: install Debian's package`);
  const server: Subprocess = spawn([found, ...rest], { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${port}/`;
  await waitFor(name, async () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return {
    destination: createWebdavDestination(createPublicFetch({ allowPrivate: true })),
    access: { settings: { url }, credentials: { user: USER, password: PASSWORD } },
    async files() {
      const entries = await readdir(files, { recursive: true, withFileTypes: true });
      const paths = entries
        // Apache removes its own file of what broke off a little later.
        .filter((entry) => entry.isFile() && !entry.name.startsWith(".davfs.tmp"))
        .map((entry) => join(entry.parentPath, entry.name));
      const read = async (path: string) => [path.slice(files.length + 1), await readFile(path)] as const;
      return new Map(await Promise.all(paths.map(read)));
    },
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  server.stop(true);
  return port;
}
