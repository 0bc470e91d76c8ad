const HEADER_LENGTH = 12;
const MAX_QUERY_LENGTH = 512;
const MAX_NAME_LENGTH = 255;
const TYPE_A = 1;
const CLASS_IN = 1;
const TTL_SECONDS = 60;
/** "The name at offset 12", type A, class IN, four bytes of address. */
const ANSWER_HEAD = Buffer.from([0xc0, HEADER_LENGTH, 0, TYPE_A, 0, CLASS_IN, 0, 0, 0, TTL_SECONDS, 0, 4]);
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

/**
 * Answers a DNS query as the sandbox's only name server: every name has the IPv4 address 127.0.0.1 and nothing else.
 *
 * @returns the answer, or null for what is not a plain query of one question (RFC 1035, 4)
 */
export function dnsAnswer(query: Buffer): Buffer | null {
  if (query.length < HEADER_LENGTH || query.length > MAX_QUERY_LENGTH) return null;
  const flags = query.readUInt16BE(2);
  const isPlainQuery = (flags & 0xf800) === 0;
  if (!isPlainQuery || query.readUInt16BE(4) !== 1 || query.readUInt16BE(6) !== 0) return null;
  const nameEnd = endOfName(query);
  if (nameEnd === null || nameEnd + 4 > query.length) return null;
  const end = nameEnd + 4;
  const wantsAddress = query.readUInt16BE(nameEnd) === TYPE_A && query.readUInt16BE(nameEnd + 2) === CLASS_IN;
  const answer = Buffer.from(query.subarray(0, end));
  // An authoritative answer with recursion available, and whether it was desired.
  answer.writeUInt16BE(0x8480 | (flags & 0x0100), 2);
  answer.writeUInt16BE(wantsAddress ? 1 : 0, 6);
  answer.fill(0, 8, HEADER_LENGTH);
  return wantsAddress ? Buffer.concat([answer, ANSWER_HEAD, LOOPBACK]) : answer;
}

/** Names in questions are never compressed, so a pointer is an error. */
function endOfName(query: Buffer): number | null {
  let at = HEADER_LENGTH;
  for (let length = query[at]; length !== 0; length = query[at]) {
    if (length === undefined || length > 63) return null;
    at += 1 + length;
    if (at - HEADER_LENGTH >= MAX_NAME_LENGTH) return null;
  }
  return at + 1;
}
