import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Where clouds tell a machine its credentials. Whoever opens a private network means what is theirs in it: each of these is opened
 * by its own address alone. AWS (its containers and pods, too), Google, Alibaba, Tencent, Oracle, and Azure's agent.
 */
const METADATA = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.0.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
  ].map((address) => bytesOf(ipaddr.parse(address))),
);
/** Azure's host agent listens here, on an address that looks public. */
const PLATFORM_AGENT = '168.63.129.16';
const OWN_ADDRESSES_FRESH_MS = 5000;

const KINDS: Record<string, string> = {
  broadcast: 'broadcast',
  carrierGradeNat: 'shared by carriers',
  ipv4Mapped: 'an IPv4 address in IPv6 form',
  linkLocal: 'link-local',
  loopback: 'loopback',
  multicast: 'multicast',
  private: 'private',
  rfc6052: 'a translated IPv4 address',
  uniqueLocal: 'private',
  unspecified: 'unspecified',
};

/** Ranges of addresses that an operator named. */
export class AddressRanges {
  private readonly ranges: Range[];

  /** @throws RangeError naming the entry that is no range */
  constructor(ranges: readonly string[] = []) {
    this.ranges = ranges.map(parseRange);
  }

  /** @param address and, where it carries another one inside, that one as well */
  includes(address: string): boolean {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.parse(address);
    return [parsed, ...embedded(parsed)].every((link) =>
      this.ranges.some(([network, bits]) => link.kind() === network.kind() && link.match(network, bits)),
    );
  }
}

/** Which addresses may be dialled: public ones that are not this machine's, and the ranges that an operator opened. */
export class AddressRules {
  private readonly allowed: Range[];
  private own = new Set<string>();
  private ownReadAt = -Infinity;

  /**
   * @param allow CIDRs or single addresses that may be dialled whatever they are; a range opens no metadata of a cloud
   * @throws RangeError naming the entry that is neither
   */
  constructor(allow: readonly string[] = []) {
    this.allowed = allow.map(parseRange);
  }

  /** @returns why the address may not be dialled ("is loopback"), or null */
  problem(text: string): string | null {
    // Not by the parser, which takes 127.1 and 0x7f000001 as well.
    if (isIP(text) === 0) return 'is not an address';
    const address = ipaddr.parse(text);
    // An address inside another one is where the packets go in the end, so it is judged too.
    for (const link of [address, ...embedded(address)]) {
      if (this.isAllowed(link)) continue;
      const kind = kindOf(link);
      if (kind !== null) return `is not public (${kind})`;
      if (this.isOwn(link)) return "is one of this machine's own";
    }
    return null;
  }

  private isAllowed(address: Address): boolean {
    const leastBits = METADATA.has(bytesOf(address)) ? address.toByteArray().length * 8 : 0;
    return this.allowed.some(
      ([network, bits]) =>
        bits >= leastBits && address.kind() === network.kind() && address.match(network, bits),
    );
  }

  private isOwn(address: Address): boolean {
    if (performance.now() - this.ownReadAt > OWN_ADDRESSES_FRESH_MS) {
      this.own = ownAddresses();
      this.ownReadAt = performance.now();
    }
    return this.own.has(bytesOf(address));
  }
}

/** The same however it is written, and in whatever zone (`%eth0`). */
function bytesOf(address: Address): string {
  return address.toByteArray().join('.');
}

function parseRange(text: string): Range {
  const [address = '', bits] = text.split('/');
  const all = isIP(address) === 4 ? 32 : 128;
  const length = bits === undefined ? all : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (isIP(address) === 0 || length > all || text.split('/').length > 2) {
    throw new RangeError(
      `${JSON.stringify(text)} is not a range of addresses such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return [ipaddr.parse(address), length];
}

function kindOf(address: Address): string | null {
  const range = address.range();
  if (range !== 'unicast') return KINDS[range] ?? 'reserved';
  if (address.toString() === PLATFORM_AGENT) return 'an agent of the cloud platform';
  // All public IPv6 addresses are in 2000::/3; the rest of the space is unassigned or has a meaning of its own.
  if (address instanceof ipaddr.IPv6 && ((address.parts[0] ?? 0) & 0xe000) !== 0x2000) return 'reserved';
  return null;
}

/** The IPv4 addresses that transition mechanisms carry inside an IPv6 one. */
function embedded(address: Address): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const at = (offset: number, mask = 0): ipaddr.IPv4 =>
    new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask));
  const starts = (...words: number[]): boolean => words.every((word, index) => address.parts[index] === word);
  if (starts(0x2002)) return [at(2)];
  if (starts(0x2001, 0)) return [at(4), at(12, 0xff)];
  const [, , , , four, five] = address.parts;
  const isatap = (four === 0 || four === 0x200) && five === 0x5efe;
  const translated = starts(0x64, 0xff9b);
  // IPv4-mapped, IPv4-translated and the old IPv4-compatible form.
  const zeroes = starts(0, 0, 0, 0);
  return isatap || translated || zeroes ? [at(12)] : [];
}

function ownAddresses(): Set<string> {
  const own = new Set<string>();
  for (const entries of Object.values(networkInterfaces())) {
    for (const { address } of entries ?? []) own.add(bytesOf(ipaddr.parse(address)));
  }
  return own;
}
