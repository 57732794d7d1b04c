const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:)[\da-f:.]{2,45}(?:%[\w.-]{1,15})?)$/i;

/**
 * A peer's address as rate limits count it: IPv6 addresses by /64, because a client can pick freely within its own,
 * and IPv4-mapped IPv6 addresses as IPv4.
 */
export function countedAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.toLowerCase().split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill("0"), ...right];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * The client address behind this many trusted proxies. Each proxy appends its peer; earlier entries may be forged by
 * the client. An entry that is not an address, with or without a port, is ignored.
 */
export function forwardedAddress(header: string | null, proxies: number): string | undefined {
  if (proxies === 0 || !header) return undefined;
  const entry = header.split(",").at(-proxies)?.trim() ?? "";
  const [, address = entry] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry)?.filter(Boolean) ?? [];
  return IP_ADDRESS.test(address) ? address : undefined;
}
