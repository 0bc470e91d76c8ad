import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from 'dns-packet';

const HEADER_LENGTH = 12;
const MAX_QUERY_LENGTH = 512;
const TTL_SECONDS = 60;

/** What the library reads beside what its types say. */
type Query = Packet & { opcode?: string };

/**
 * Responds to a DNS query as the sandbox's only name server: every name has the IPv4 address 127.0.0.1, or one of its own, and nothing
 * else.
 *
 * @param addresses of names that have one of their own, in lower case
 * @returns the response, or null for what is not a plain query of one question (RFC 1035, 4)
 */
export function dnsResponse(
  message: Buffer,
  addresses: ReadonlyMap<string, string> = new Map(),
): Buffer | null {
  if (message.length < HEADER_LENGTH || message.length > MAX_QUERY_LENGTH) return null;
  // Checked before the library reads on, which makes room for as many entries as the header claims.
  if (message.readUInt16BE(4) !== 1 || message.readUInt16BE(6) !== 0) return null;
  try {
    return respond(message, addresses);
  } catch {
    return null;
  }
}

/** @throws Error for a message that cannot be read */
function respond(message: Buffer, addresses: ReadonlyMap<string, string>): Buffer | null {
  const query: Query = decode(withoutAdditions(message));
  const end = decode.bytes;
  const [question] = query.questions ?? [];
  if (query.type !== 'query' || query.opcode !== 'QUERY' || !question) return null;
  const recursion = (query.flags ?? 0) & RECURSION_DESIRED;
  const response = encode({
    type: 'response',
    ...(query.id !== undefined && { id: query.id }),
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | recursion,
    questions: [question],
    answers: wantsAddress(question)
      ? [
          {
            type: 'A',
            name: question.name,
            ttl: TTL_SECONDS,
            data: addresses.get(question.name.toLowerCase()) ?? '127.0.0.1',
          },
        ]
      : [],
  });
  // A name that is compressed, or that has dots within a label, comes out as another one.
  const isRepeated = response.subarray(HEADER_LENGTH, end).equals(message.subarray(HEADER_LENGTH, end));
  return isRepeated ? response : null;
}

/** Without what follows the question, such as EDNS options: it changes nothing here, so nobody needs to read it. */
function withoutAdditions(message: Buffer): Buffer {
  return Buffer.from(message).fill(0, 8, HEADER_LENGTH);
}

function wantsAddress({ type, class: network }: Question): boolean {
  return type === 'A' && network === 'IN';
}
