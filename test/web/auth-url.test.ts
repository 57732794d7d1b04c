import { expect, test } from "bun:test";
import { parseAuthUrl } from "../../web/features/auth/auth-url";

const nextOf = (next: string) => {
  const address = parseAuthUrl(`/auth?next=${next}`);
  return "next" in address ? address.next : undefined;
};

test.each([
  ["%2Fcontacts", "/contacts"],
  ["%2F%3Fenvelope%3D7%23top", "/?envelope=7#top"],
  ["%2Fcontacts%2F12%3Fenvelope%3D7", "/contacts/12?envelope=7"],
  ["%2Fprofile%23providers", "/profile#providers"],
  ["%2Finvite%2Fa-token_1", "/invite/a-token_1"],
  ["%2Fverify%2Fa-token_1", "/verify/a-token_1"],
  ["%2Fapi%2F..%2Fcontacts", "/contacts"],
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
  "%2Fapi%2Fauth%2Foidc",
  "%2Fapi%2Fauth%2Foidc%2Fcallback%3Fcode%3Da",
  "%2Fcontacts%2F..%2Fapi%2Fuser%2Fexport",
  "%2Fcontacts%2F%252e%252e%2Fapi%2Fuser%2Fexport",
  "%2Fcontacts%2F%2E%2E%2Fuploads%2Fa.pdf",
  "%2Fuploads%2Fa.pdf",
  "%2Fsubmit%2Ftoken",
  "%2Fsign-in%2Ftoken",
  "%2Freset%2Ftoken",
  "%2Finvite%2Ftoken%2F..%2F..%2Fapi%2Fuser",
  "%2Finvite%2F",
  "%2Fassets%2Fapp.js",
  "%2Fnowhere",
  "%2Fauthors",
  "%2Fhttps%3A%2F%2Fexample.com",
  "%2Fauth",
  "%2Fauth%3Fnext%3D%2Fauth",
  "%2F.%2Fauth",
  "",
])("the sign-in page does not leave the app for %s", (given) => {
  expect(nextOf(given)).toBeUndefined();
});
