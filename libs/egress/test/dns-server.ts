import dgram from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;

export interface DnsServer {
  /** As the dialer's `dnsServers` wants it. */
  address: string;
  /** Addresses by name; a list of lists is answered in turns. */
  records: Map<string, string[] | string[][]>;
  /** Names that were asked for, with the type. */
  asked: string[];
  /** Says nothing from now on. */
  mute(): void;
  close(): Promise<void>;
}

/** A real name server on loopback. Names that it does not know do not exist. */
export async function startDns(records: Record<string, string[] | string[][]> = {}): Promise<DnsServer> {
  const socket = dgram.createSocket('udp4');
  const known = new Map(Object.entries(records));
  const asked: string[] = [];
  const turns = new Map<string, number>();
  let muted = false;
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    asked.push(`${name} ${type === TYPE_A ? 'A' : type === TYPE_AAAA ? 'AAAA' : type}`);
    if (muted) return;
    const found = known.get(name);
    const turn = turns.get(`${name} ${type}`) ?? 0;
    turns.set(`${name} ${type}`, turn + 1);
    const list =
      (Array.isArray(found?.[0]) ? (found as string[][])[turn % found.length] : (found as string[])) ?? [];
    const answers = list
      .map((text) => ipaddr.parse(text))
      .filter((one) => (one.kind() === 'ipv4') === (type === TYPE_A));
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(found ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(answers.length, 6);
    head.fill(0, 8, 12);
    const rows = answers.map((one) => {
      const bytes = one.toByteArray();
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([head, ...rows]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    records: known,
    asked,
    mute: () => {
      muted = true;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
