/** IPv4 networks outside the public Internet: first address and prefix length. */
const RESERVED_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Host names on the local network. */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|corp|home)$/i;

/** Whether an IP address, as reported by a resolver or a socket, is on the public Internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (/^\d+(?:\.\d+){3}$/.test(plain)) return isPublicV4(plain);
  const groups = groupsOf(plain);
  return groups !== null && isPublicV6(groups);
}

/**
 * Whether a webhook may use this URL, as far as the URL shows: https, no credentials, and no private address or name.
 * `URL` has already converted decimal, octal and hexadecimal addresses. The addresses of a name are checked when
 * connecting.
 */
export function isPublicUrl({ protocol, hostname, username, password }: URL): boolean {
  if (protocol !== "https:" || username !== "" || password !== "") return false;
  const name = hostname.replace(/\.$/, "");
  if (isAddress(name)) return isPublicAddress(name);
  return name.includes(".") && !PRIVATE_NAMES.test(name);
}

/** Whether the host of a URL is an IP address. */
export const isAddress = (host: string) => /^\d+(?:\.\d+){3}$/.test(host) || host.includes(":");

function isPublicV4(address: string): boolean {
  const number = toNumber(address);
  return !RESERVED_V4.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(number / size) === Math.floor(toNumber(network) / size);
  });
}

const toNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

/** Only global unicast, except networks for documentation, tunnels and embedded IPv4 addresses. */
function isPublicV6(groups: number[]): boolean {
  const [first = 0, second = 0] = groups;
  const global = (first & 0xe000) === 0x2000;
  const special = first === 0x2001 && second < 0x0200;
  const documentation = (first === 0x2001 && second === 0x0db8) || (first === 0x3fff && second < 0x1000);
  return global && !special && !documentation && first !== 0x2002;
}

/** The eight groups of an IPv6 address; null if it is not one. */
function groupsOf(address: string): number[] | null {
  const url = URL.parse(`http://[${address}]/`);
  if (!url) return null;
  const [head = "", tail] = url.hostname.slice(1, -1).split("::");
  const parse = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), parse(tail ?? "")];
  const zeros = tail === undefined ? [] : Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

/** Whether only the machine itself reaches this host, as in a URL or as the address that a server listens on. */
export const isLoopback = (host: string) => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
