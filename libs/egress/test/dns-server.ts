import dgram from 'node:dgram';
import { type AddressInfo, isIP } from 'node:net';
import { decode, encode, type Question, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';

const NO_SUCH_NAME = 3;

export interface DnsServer {
  /** As the dialer's `dnsServers` wants it. */
  address: string;
  /** Addresses by name; of a list of lists, the next one each time. */
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
  socket.on('message', (message, from) => {
    const { id, questions } = decode(message);
    const [question] = questions as [Question];
    const type = question.type as 'A' | 'AAAA';
    const name = question.name.toLowerCase();
    asked.push(`${name} ${type}`);
    if (muted) return;
    const found = known.get(name);
    const turn = turns.get(`${name} ${type}`) ?? 0;
    turns.set(`${name} ${type}`, turn + 1);
    const list =
      (Array.isArray(found?.[0]) ? (found as string[][])[turn % found.length] : (found as string[])) ?? [];
    const response = encode({
      type: 'response',
      id: id!,
      flags: RECURSION_DESIRED | RECURSION_AVAILABLE | (found ? 0 : NO_SUCH_NAME),
      questions: [question],
      answers: list
        .filter((address) => isIP(address) === (type === 'A' ? 4 : 6))
        .map((data) => ({ type, name: question.name, ttl: 0, data })),
    });
    socket.send(response, from.port, from.address);
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
