import ipaddr from 'ipaddr.js';

/** Longer than any address: a proxy may pass on anything. */
const MOST_CHARACTERS = 64;
const NETWORK_PARTS = 4;

/**
 * An address as limits count it: in IPv6 its /64, since a client usually has all addresses of it; IPv4 as it is, also where
 * it is mapped into IPv6.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MOST_CHARACTERS);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
