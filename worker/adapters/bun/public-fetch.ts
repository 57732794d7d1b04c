import { dns } from "bun";
import { isAddress, isPublicAddress, isPublicUrl } from "../../lib/public-address";
import { AddressError, type PublicFetch } from "../../ports/public-fetch";

/** Resolves a host name to its addresses. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Node's `lookup` waits in one of the few threads that also read files and hash passwords: a few names whose server never
 * answers would stop everybody's.
 */
const resolveName: Resolve = async (name) => (await dns.lookup(name)).map(({ address }) => address);

/**
 * Resolves the name, checks every address, and connects to an address that was checked. A later change of DNS therefore
 * has no effect, nor has a proxy from the environment, which gets the address. TLS still verifies the certificate
 * against the name.
 * @param allowPrivate for servers in the operator's own network; this also allows http
 */
export function createPublicFetch(
  { allowPrivate }: { allowPrivate: boolean },
  resolve: Resolve = resolveName,
): PublicFetch {
  return async (url, { headers, ...init }) => {
    if (!allowPrivate && !isPublicUrl(url)) throw new AddressError("The address is not public");
    const { hostname, host } = url;
    const addresses = isAddress(hostname) ? [hostname] : await whileWanted(resolve(hostname), init.signal);
    const [address] = addresses;
    if (address === undefined) throw new Error("The name has no address");
    if (!allowPrivate && !addresses.every(isPublicAddress))
      throw new AddressError("The address is not public");
    const target = new URL(url);
    target.hostname = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
    return fetch(target, {
      ...init,
      // Bun would decompress what is not read: kilobytes can stand for gigabytes.
      headers: { ...headers, Host: host, "Accept-Encoding": "identity" },
      decompress: false,
      redirect: "manual",
      ...(!isAddress(hostname) && { tls: { serverName: hostname } }),
    });
  };
}

/** What does not end with the signal itself, such as the lookup of a name. */
async function whileWanted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const end = Promise.withResolvers<never>();
  const stop = () => end.reject(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, end.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}
