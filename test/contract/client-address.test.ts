import { expect, test } from "bun:test";
import { countedAddress, forwardedAddress } from "../../worker/adapters/shared/client-address";

test("an IPv4 client is counted by its address in any notation", () => {
  expect(countedAddress("203.0.113.7")).toBe("203.0.113.7");
  expect(countedAddress("::ffff:203.0.113.7")).toBe("203.0.113.7");
});

test("an IPv6 client is counted by its network, in which it can choose its address", () => {
  const network = "2001:db8:1:2::/64";
  for (const address of [
    "2001:db8:1:2:3:4:5:6",
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff:ffff:ffff:ffff",
    "2001:db8:1:2::",
    "2001:db8:1:2::1%eth0",
  ])
    expect(countedAddress(address)).toBe(network);
  expect(countedAddress("2001:db8:1:3::1")).not.toBe(network);
  expect(countedAddress("2001:db8::1:2:3:4")).toBe("2001:db8:0:0::/64");
  expect(countedAddress("::1")).toBe("0:0:0:0::/64");
});

test("an invalid address is still counted", () => {
  expect(countedAddress("unknown")).toBe("unknown");
});

test("only entries of trusted proxies in X-Forwarded-For are used", () => {
  const header = "6.6.6.6, 203.0.113.9, 10.0.0.2";
  expect(forwardedAddress(header, 0)).toBeUndefined();
  expect(forwardedAddress(header, 1)).toBe("10.0.0.2");
  expect(forwardedAddress(header, 2)).toBe("203.0.113.9");
  expect(forwardedAddress(null, 1)).toBeUndefined();
  expect(forwardedAddress("203.0.113.9", 2)).toBeUndefined();
});

test("a proxy may add a port, and an invalid address is not used", () => {
  expect(forwardedAddress("203.0.113.9:50123", 1)).toBe("203.0.113.9");
  expect(forwardedAddress("[2001:db8::1]:50123", 1)).toBe("2001:db8::1");
  expect(forwardedAddress("[2001:db8::1]", 1)).toBe("2001:db8::1");
  for (const made of ["unknown", "_hidden", "x".repeat(5000), '"},{"level":"info"', "1.2.3", "[]", ""])
    expect(forwardedAddress(`203.0.113.9, ${made}`, 1)).toBeUndefined();
});
