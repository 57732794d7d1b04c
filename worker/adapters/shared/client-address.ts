/**
 * A peer's address as rate limits count it: an IPv6 client owns a whole /64 and picks freely within it,
 * and an IPv4 client of a dual-stack socket is still the IPv4 client.
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
 * The address that the outermost of so many trusted proxies saw. Each appends the peer it has; what stands
 * before their entries is the client's own invention.
 */
export function forwardedAddress(header: string | null, proxies: number): string | undefined {
  if (proxies === 0 || !header) return undefined;
  return header.split(",").at(-proxies)?.trim() || undefined;
}
