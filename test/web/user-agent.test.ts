import { expect, test } from "bun:test";
import { parseUserAgent } from "../../worker/contract/user-agent";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0 Safari/537.36`, "Chrome", "Windows"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0 Safari/537.36 Edg/156.0`,
    "Edge",
    "Windows",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) ${WEBKIT} Chrome/156.0 Safari/537.36`, "Chrome", "ChromeOS"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/156.0 Safari/537.36`, "Chrome", "Linux"],
  [
    `Mozilla/5.0 (Linux; Android 16) ${WEBKIT} SamsungBrowser/30.0 Chrome/140.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox", "Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari",
    "iPad",
  ],
  ["curl/8.14.1", "curl", undefined],
  ["something nobody knows", undefined, undefined],
  ["", undefined, undefined],
])("%s is recognised as its browser and system", (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});
