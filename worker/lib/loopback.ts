/** Whether only the machine itself reaches this host, as in a URL or as the address that a server listens on. */
export const isLoopback = (host: string) => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
