/** Starts a browser download; with a blank name, under the one that the server gives. */
export function startDownload(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
