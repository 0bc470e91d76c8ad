import ipaddr from 'ipaddr.js';

/** An address as people know it: IPv4 is not written as the part of IPv6 in which it comes to a server for both. */
export function writtenAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
