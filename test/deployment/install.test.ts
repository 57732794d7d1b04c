import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "./run";

/**
 * `install.sh` beside each kind of Caddy configuration that a machine may have already. Each case has a copy of this
 * machine's files, which disappears with it; systemd.test.ts installs on a machine that runs.
 */
const ROOT = join(import.meta.dir, "../..");
const DOMAIN = "docs.example.com";
const SNIPPET = "/etc/caddy/doculopes.caddy";
const IMPORT = `\nimport ${SNIPPET}\n`;
const OTHER = 'other.example.com {\n\trespond "other"\n}\n';

/** Mounts this machine's files with a layer of memory above them, and runs a script there. */
const IN_A_COPY = `
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/changes /mnt/work /mnt/machine
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/machine
mount -t tmpfs tmpfs /mnt/machine/run
mount --bind /dev /mnt/machine/dev
exec chroot /mnt/machine env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/ sh -c "$1"`;

/** Runs a script beside the files of `worker/deploy` on a machine that has neither Caddy's files nor the app's. */
async function runInACopy(script: string): Promise<string> {
  const prepared = `set -e
    rm -rf /etc/caddy /etc/doculopes /usr/local/bin/doculopes* /tmp/srv; mkdir -p /etc/caddy /tmp/srv
    cp -r "${ROOT}/worker" /tmp/srv/worker; cd /tmp/srv; cp /bin/true doculopes
    ${script}`;
  return (await run(["unshare", "--mount", "sh", "-c", IN_A_COPY, "-", prepared])).output;
}

type Installed = { code: number; output: string; files: Record<string, string>; hosts: string[] };

/**
 * Writes files, runs `install.sh` once for each list of files, or domain, that changes before it, and returns what the last
 * run printed, Caddy's files, and the hosts of the configuration that Caddy reads from them.
 */
async function install(...changes: (Record<string, string> | string)[]): Promise<Installed> {
  const steps = changes.map((change) => {
    const isDomain = typeof change === "string";
    const before = isDomain
      ? `sed -i s,^PUBLIC_URL=.*,PUBLIC_URL=https://${change}, /etc/doculopes/doculopes.env`
      : Object.entries(change).map(writeFile).join("\n");
    return `${before}
      code=0; output="$(sh worker/deploy/install.sh ${isDomain ? change : DOMAIN} 2>&1)" || code=$?`;
  });
  const printed = await runInACopy(`${steps.join("\n")}
    printf '%s\\0' "$code" "$output" "$(caddy adapt --config /etc/caddy/Caddyfile 2>/dev/null || echo null)"
    find /etc/caddy -type f | while read path; do printf '%s\\0' "$path"; cat "$path"; printf '\\0'; done`);
  const [code, output = "", adapted = "", ...rest] = printed.split("\0");
  if (adapted === "") throw new Error(printed);
  const files: Record<string, string> = {};
  for (let index = 0; index + 1 < rest.length; index += 2) files[rest[index] ?? ""] = rest[index + 1] ?? "";
  const hosts = [...adapted.matchAll(/"host":\[([^\]]*)\]/g)].flatMap(([, list]) => JSON.parse(`[${list}]`));
  return { code: Number(code), output, files, hosts: [...new Set(hosts)].sort() };
}

const writeFile = ([path, text]: [string, string]) =>
  `mkdir -p "$(dirname ${path})"; cat >${path} <<'END'\n${text.replace(/\n$/, "")}\nEND`;

test("without a Caddyfile, one is made that imports the site", async () => {
  const { code, output, files, hosts } = await install({});
  expect([code, output]).toEqual([0, expect.stringContaining(`wrote ${SNIPPET}, which proxies ${DOMAIN}`)]);
  expect(files["/etc/caddy/Caddyfile"]).toBe(IMPORT);
  expect(files[SNIPPET]).toContain("\treverse_proxy 127.0.0.1:3000 {");
  expect(hosts).toEqual([DOMAIN]);
});

const CONFIGURATIONS = {
  "another site": OTHER,
  "global options": `{\n\temail ops@example.com\n\tservers {\n\t\ttimeouts {\n\t\t\tidle 5m\n\t\t}\n\t}\n}\n\n${OTHER}`,
  "no line break at its end": OTHER.trimEnd(),
  "the domain only as a target": `${OTHER}old.example.com {\n\tredir https://${DOMAIN}{uri}\n}\n`,
  "a site for all names of the domain": `${OTHER}*.example.com {\n\ttls internal\n\trespond "any"\n}\n`,
};
for (const [name, caddyfile] of Object.entries(CONFIGURATIONS))
  test(`a Caddyfile with ${name} gets one line, and a second run changes nothing`, async () => {
    const before = { "/etc/caddy/Caddyfile": caddyfile };
    const first = await install(before);
    expect(first).toMatchObject({
      code: 0,
      output: expect.stringContaining(`added the line "import ${SNIPPET}"`),
    });
    expect(first.files["/etc/caddy/Caddyfile"]?.replace(IMPORT, "").trimEnd()).toBe(caddyfile.trimEnd());
    expect(first.files["/etc/caddy/Caddyfile.before-doculopes"]?.trimEnd()).toBe(caddyfile.trimEnd());
    expect(first.hosts).toEqual(expect.arrayContaining([DOMAIN, "other.example.com"]));
    const again = await install(before, {});
    expect(again).toEqual({
      ...first,
      output: "Installed. systemd does not run here, so nothing was started",
    });
  });

const OWN = `${DOMAIN} {\n\treverse_proxy 127.0.0.1:3000\n}\n`;
const IMPORTING: [name: string, caddyfile: string, files: Record<string, string>][] = [
  ["imports the snippet by name", `import doculopes.caddy\n${OTHER}`, { [SNIPPET]: OWN }],
  ["imports every snippet, of which there is none yet", `import *.caddy\n${OTHER}`, {}],
  [
    "imports a folder with a file that imports it",
    "import sites-enabled/*\n",
    {
      [SNIPPET]: OWN,
      "/etc/caddy/sites-enabled/docs": "import ../doculopes.caddy",
      "/etc/caddy/sites-enabled/other": OTHER,
    },
  ],
];
for (const [name, caddyfile, others] of IMPORTING)
  test(`a Caddyfile that ${name} is not changed`, async () => {
    const before = { "/etc/caddy/Caddyfile": caddyfile, ...others };
    const { code, output, files, hosts } = await install(before);
    expect([code, output]).toEqual([0, expect.not.stringContaining("added the line")]);
    expect(files["/etc/caddy/Caddyfile"]).toBe(caddyfile);
    expect(hosts).toEqual([DOMAIN, "other.example.com"]);
  });

test("sites in a folder stay as they are, whether or not one of them is the domain's", async () => {
  const caddyfile = "{\n\temail ops@example.com\n}\nimport sites-enabled/*\n";
  const added = await install({ "/etc/caddy/Caddyfile": caddyfile, "/etc/caddy/sites-enabled/other": OTHER });
  expect(added).toMatchObject({ code: 0, hosts: [DOMAIN, "other.example.com"] });
  const own = `${DOMAIN} {\n\treverse_proxy localhost:3000\n}\n`;
  const left = await install({
    "/etc/caddy/Caddyfile": caddyfile,
    "/etc/caddy/sites-enabled/docs": own,
    "/etc/caddy/sites-enabled/other": OTHER,
  });
  expect([left.code, left.output]).toEqual([
    0,
    expect.stringContaining(`has a site for ${DOMAIN} already, which was left as it is\nInstalled`),
  ]);
  expect(left.files["/etc/caddy/Caddyfile"]).toBe(caddyfile);
  expect(Object.keys(left.files)).not.toContain(SNIPPET);
});

test("a merged Caddyfile with another port is left as it is, and a port that differs is named", async () => {
  const merged = `${OTHER}\n${DOMAIN} {\n\trespond /metrics 404\n\treverse_proxy 127.0.0.1:3100\n}\n`;
  const environment = (port: number) => ({
    "/etc/doculopes/doculopes.env": `PUBLIC_URL=https://${DOMAIN}\nPORT="${port}"\n`,
  });
  const files = { "/etc/caddy/Caddyfile": merged };
  const same = await install({ ...files, ...environment(3100) }, {});
  expect(same).toMatchObject({ code: 0, files, hosts: [DOMAIN, "other.example.com"] });
  expect(same.output).not.toContain("no site proxies");
  const differs = await install({ ...files, ...environment(3200) });
  expect(differs).toMatchObject({ code: 0, files });
  expect(differs.output).toContain("Caddy: no site proxies to 127.0.0.1:3200, where the server listens");
});

test("the snippet follows PORT and HOST, and keeps what was added to it", async () => {
  const environment = (variables: string) => ({
    "/etc/doculopes/doculopes.env": `PUBLIC_URL=https://${DOMAIN}\n${variables}\n`,
  });
  const first = await install(environment("PORT = 4100"));
  expect(first.files[SNIPPET]).toContain("reverse_proxy 127.0.0.1:4100 {");
  const own = `${DOMAIN} {\n\ttls /etc/caddy/cert.pem /etc/caddy/key.pem\n\treverse_proxy 127.0.0.1:4100\n}\n`;
  const moved = await install(environment("PORT=4100"), {
    [SNIPPET]: own,
    ...environment("PORT=4200\nHOST=::1"),
  });
  expect(moved.output).toContain(`wrote ${SNIPPET}, which proxies ${DOMAIN} to [::1]:4200`);
  expect(moved.files[SNIPPET]).toBe(own.replace("127.0.0.1:4100", "[::1]:4200"));
  const two = own.replace("}\n", "\treverse_proxy 127.0.0.1:9000\n}\n");
  const kept = await install(environment("PORT=4100"), { [SNIPPET]: two, ...environment("PORT=4200") });
  expect(kept.files[SNIPPET]).toBe(two);
  expect(kept.output).toContain("Caddy: no site proxies to 127.0.0.1:4200");
});

test("with another domain, the former one redirects to it, and own lines stay in the snippet and beside it", async () => {
  const environment = (name: string) => ({
    "/etc/doculopes/doculopes.env": `PUBLIC_URL=https://${name}\n`,
  });
  const own = { "/etc/caddy/doculopes.d/own.caddy": "tls internal\n" };
  for (const other of ["new.docs.example.com", "my-docs.example.com", "docs.example.com.au"]) {
    const snippet = `# Once ${DOMAIN}.\n(common) {\n\tencode gzip\n}\nhttps://${other}, older.example.com {\n\timport common\n\treverse_proxy 127.0.0.1:3000\n}\n`;
    const first = await install({
      "/etc/caddy/Caddyfile": `import ${SNIPPET}\n`,
      ...environment(DOMAIN),
      ...own,
      [SNIPPET]: snippet,
    });
    expect([first.code, first.output]).toEqual([
      0,
      expect.stringContaining(`wrote ${SNIPPET}, which proxies ${DOMAIN} to 127.0.0.1:3000, and redirects `),
    ]);
    expect(first.hosts).toEqual([DOMAIN, other, "older.example.com"].sort());
    expect(first.files).toMatchObject(own);
    expect(first.files[SNIPPET]).toStartWith(snippet.replace(/https:.*com \{/, `${DOMAIN} {`));
    expect(first.files[`${SNIPPET}.before`]).toBe(snippet);
    expect(await install(first.files, {})).toMatchObject({
      output: "Installed. systemd does not run here, so nothing was started",
      files: first.files,
    });
  }
});

test("after a second change of the domain, and back again, every former name redirects to the last", async () => {
  const moved = await install({}, ...["two.example.com", "three.example.com", DOMAIN, "two.example.com"]);
  expect(moved.hosts).toEqual([DOMAIN, "three.example.com", "two.example.com"]);
  expect(moved.files[SNIPPET]).toContain(`${DOMAIN}, three.example.com {`);
  expect(moved.files[SNIPPET]).toContain("redir @moved https://two.example.com{uri} 308");
  expect(moved.files[SNIPPET]?.match(/^# Former names/gm)).toHaveLength(1);
});

test("a Caddyfile that Caddy does not accept with the line stays as it was, and the run fails", async () => {
  for (const caddyfile of [
    "other.example.com\nrespond other\n",
    "other.example.com {\n\tunknown_directive\n}\n",
  ]) {
    const { code, output, files } = await install({ "/etc/caddy/Caddyfile": caddyfile });
    expect([code, output]).toEqual([1, expect.stringContaining("Its files are as they were before")]);
    expect(files).toEqual({ "/etc/caddy/Caddyfile": caddyfile });
  }
});

test("another domain than that of PUBLIC_URL changes nothing", async () => {
  const environment = { "/etc/doculopes/doculopes.env": "PUBLIC_URL=https://papers.example.com:8443/\n" };
  const { code, output, files } = await install({ ...environment, "/etc/caddy/Caddyfile": OTHER });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("is for papers.example.com, not for docs.example.com"),
  ]);
  expect(files).toEqual({ "/etc/caddy/Caddyfile": OTHER });
});

test("without a domain, or with something else, nothing is installed", async () => {
  for (const [argument, reason] of [
    ["", "Usage: sh worker/deploy/install.sh <domain>"],
    ["''", "Usage: sh worker/deploy/install.sh <domain>"],
    ["https://docs.example.com", "https://docs.example.com is not a domain alone"],
    ["-docs.example.com", "-docs.example.com is not a domain alone"],
    [".example.com", ".example.com is not a domain alone"],
    ["192.0.2.1", "192.0.2.1 is not a domain alone"],
  ] as const) {
    const output = await runInACopy(
      `sh worker/deploy/install.sh ${argument} 2>&1 && echo installed; ls -d /etc/doculopes /usr/local/bin/doculopes 2>/dev/null || true`,
    );
    expect(output).toContain(reason);
    expect(output).not.toMatch(/installed|^\/etc\/doculopes|^\/usr/im);
  }
});

test("an upgrade keeps the executable before and says how to return, and a second run does not replace it", async () => {
  const output = await runInACopy(`run() { sh worker/deploy/install.sh ${DOMAIN} 2>&1; }
    run; echo new >doculopes; chmod +x doculopes; echo --; run; echo --; run
    cmp /bin/true /usr/local/bin/doculopes.before; cat /usr/local/bin/doculopes`);
  const [first, upgrade, again] = output.split("--\n");
  expect(first).not.toContain("doculopes.before");
  expect(upgrade).toContain(
    "/usr/local/bin/doculopes.before is the version before. To return to it: systemctl stop",
  );
  expect(again).toBe("Installed. systemd does not run here, so nothing was started\nnew\n");
});

test("a PUBLIC_URL without a host gets the domain, and the rest of the file stays", async () => {
  const output = await runInACopy(`mkdir /etc/doculopes
    printf 'PUBLIC_URL=https://\nSIGN_UP=open\n' >/etc/doculopes/doculopes.env
    sh worker/deploy/install.sh ${DOMAIN} >/dev/null 2>&1; cat /etc/doculopes/doculopes.env`);
  expect(output).toBe(`PUBLIC_URL=https://${DOMAIN}\nSIGN_UP=open\n`);
});
