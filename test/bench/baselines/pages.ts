/** The smallest pages of this kind: a static form, a form that React renders after one fetch, and a long empty list. */
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { serve } from "bun";

const form = `<label for="name">Name</label><input id="name"><button>Next</button>`;
const html = (body: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Form</title>${body}</html>`;

const list = `<main><input oninput="this.nextSibling.textContent = this.value"><p></p><div style="height: 610000px">`;

const built = await Bun.build({
  entrypoints: [join(import.meta.dir, "react-floor.tsx")],
  minify: true,
  define: { "process.env.NODE_ENV": '"production"' },
});
const [script] = built.outputs;
if (!script) throw new Error("The React floor was not built");
const code = brotliCompressSync(await script.text());
const packed = (type: string, bytes: Uint8Array) =>
  new Response(new Uint8Array(bytes), { headers: { "Content-Type": type, "Content-Encoding": "br" } });

const server = serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: {
    "/static": () => packed("text/html", brotliCompressSync(html(form))),
    "/list": () => packed("text/html", brotliCompressSync(html(list))),
    "/react": () =>
      packed(
        "text/html",
        brotliCompressSync(html('<div id="root"></div><script type="module" src="/react.js"></script>')),
      ),
    "/react.js": () => packed("text/javascript", code),
    "/data": () => Response.json({ label: "Name" }),
  },
});
process.stdout.write(`runs at ${server.url.origin}\n`);
