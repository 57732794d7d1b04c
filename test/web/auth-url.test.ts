import { expect, test } from "bun:test";
import { parseAuthUrl } from "../../web/features/auth/auth-url";

const nextOf = (next: string) => {
  const address = parseAuthUrl(`/auth?next=${next}`);
  return "next" in address ? address.next : undefined;
};

test.each([
  ["%2Fcontacts", "/contacts"],
  ["%2F%3Fenvelope%3D7%23top", "/?envelope=7#top"],
  ["%2Fauthors", "/authors"],
  ["%2Fhttps%3A%2F%2Fexample.com", "/https://example.com"],
])("the sign-in page returns to %s", (given, path) => {
  expect(nextOf(given)).toBe(path);
});

test.each([
  "/%09/example.com",
  "%2F%0A%2Fexample.com",
  "%2F%0D%2Fexample.com",
  "%2F%2Fexample.com",
  "%2F%5Cexample.com",
  "%5C%5Cexample.com",
  "%09%2F%2Fexample.com",
  "%2Fa%5C..%5C%5Cexample.com",
  "%2F..%2F%2Fexample.com",
  "%2F.%2F%2Fexample.com",
  "%2F%00%2Fexample.com",
  "https%3A%2F%2Fexample.com",
  "https%3Aexample.com",
  "javascript%3Aalert(1)",
  "data%3Atext%2Fhtml%2Cx",
  "%20%2F%2Fexample.com",
  "contacts",
  "%2Fauth",
  "%2Fauth%3Fnext%3D%2Fauth",
  "%2F.%2Fauth",
  "",
])("the sign-in page does not leave the app for %s", (given) => {
  expect(nextOf(given)).toBeUndefined();
});
