/**
 * Writes the few ASN.1 types of certificates in DER (X.690). A certificate takes 0.4 ms so, and 3.3 ms with a library of
 * 21 packages: docs/decisions/certificates.md.
 */

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const BOOLEAN = 0x01;

/** Tag, length, content. */
function element(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body), body]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...parts: Buffer[]): Buffer => element(SEQUENCE, ...parts);
export const set = (...parts: Buffer[]): Buffer => element(SET, ...parts);
export const octets = (bytes: Buffer): Buffer => element(OCTET_STRING, bytes);
export const utf8 = (text: string): Buffer => element(UTF8_STRING, Buffer.from(text));
export const truth = (): Buffer => element(BOOLEAN, Buffer.from([0xff]));

/** @param bytes big-endian, not negative */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const trimmed = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  // A set top bit would make it negative.
  return element(
    INTEGER,
    ((trimmed[0] ?? 0) & 0x80) === 0 ? trimmed : Buffer.concat([Buffer.from([0]), trimmed]),
  );
}

/** @param unused bits at the end that do not count */
export function bits(bytes: Buffer, unused = 0): Buffer {
  return element(BIT_STRING, Buffer.from([unused]), bytes);
}

/** @param dotted such as `2.5.29.17` */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let more = number >>> 7; more > 0; more >>>= 7) groups.unshift((more & 0x7f) | 0x80);
    return groups;
  });
  return element(OBJECT_IDENTIFIER, Buffer.from(bytes));
}

/** UTCTime up to 2049, GeneralizedTime from then on, as certificates want it (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const short = date.getUTCFullYear() < 2050;
  return element(short ? UTC_TIME : GENERALIZED_TIME, Buffer.from(short ? digits.slice(2) : digits));
}

/** An element with a number of its own instead of a type; `constructed` when it holds elements. */
export function tagged(number: number, constructed: boolean, ...content: Buffer[]): Buffer {
  return element(0x80 | (constructed ? 0x20 : 0) | number, ...content);
}
