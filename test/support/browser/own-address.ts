const uses = new Map<string, number>();

/**
 * An address for the account of this attempt: the given one in the first attempt, then others. A second attempt of a
 * browser test runs on the same site, where the first attempt has already used the address.
 */
export function ownAddress(address: string): string {
  const use = (uses.get(address) ?? 0) + 1;
  uses.set(address, use);
  return use === 1 ? address : address.replace("@", `.${use}@`);
}

/** Call for a new site, where no address is used yet. */
export function freeAddresses(): void {
  uses.clear();
}
