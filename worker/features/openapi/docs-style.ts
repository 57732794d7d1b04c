/** The style of the page, in the colours of the app. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --paper: oklch(0.985 0.004 85); --surface: oklch(1 0 0); --sunken: oklch(0.965 0.006 85);
  --line: oklch(0.9 0.008 85); --ink: oklch(0.23 0.02 260); --ink-soft: oklch(0.46 0.02 260);
  --accent: oklch(0.46 0.14 257);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: oklch(0.18 0.012 260); --surface: oklch(0.225 0.014 260); --sunken: oklch(0.155 0.012 260);
    --line: oklch(0.33 0.015 260); --ink: oklch(0.95 0.008 90); --ink-soft: oklch(0.74 0.015 90);
    --accent: oklch(0.76 0.11 250);
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0 auto; max-width: 1120px; padding: 24px 16px; background: var(--paper); color: var(--ink);
  font: 16px/24px system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 32px; margin: 0; }
h2 { font-size: 20px; margin: 40px 0 16px; }
h3 { font-size: 18px; margin: 0 0 8px; }
h4 { font-size: 14px; margin: 16px 0 4px; }
p { margin: 8px 0; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
small { color: var(--ink-soft); font-size: 14px; }
code { background: var(--sunken); border-radius: 4px; padding: 1px 4px; font: 14px/20px ui-monospace, monospace; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 16px; }
article:target { border-color: var(--accent); }
ul { margin: 0; padding: 0 0 0 16px; }
article ul { list-style: none; padding: 0; }
article li { padding: 6px 0; border-top: 1px solid var(--line); }
article li li { margin-left: 16px; }
summary { cursor: pointer; padding: 4px 0; }
nav { margin: 16px 0; }
nav ul ul { margin-bottom: 8px; }
nav a { display: inline-block; padding: 4px 0; }
.call b { color: var(--accent); }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; background: var(--surface); padding: 8px; }
`;
