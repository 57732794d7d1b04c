const uses = new Map<string, number>();

/**
 * An address for the account of this attempt: the given one at first, then others. A browser test may be tried twice on
 * the same site, where its first attempt has taken the address.
 */
export function ownAddress(address: string): string {
  const use = (uses.get(address) ?? 0) + 1;
  uses.set(address, use);
  return use === 1 ? address : address.replace("@", `.${use}@`);
}

/** To be called for a new site, where no address is taken. */
export function freeAddresses(): void {
  uses.clear();
}
