import { v7 } from 'uuid';

import { randomOctets } from './random-octets.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** What an id begins with, by the kind of thing that it names. */
const ID_PREFIXES = {
  run: 'run',
  script: 'scr',
  version: 'ver',
  trial: 'tri',
  environment: 'env',
  secret: 'sec',
  schedule: 'sch',
  trigger: 'trg',
  hook: 'hok',
  receipt: 'rcp',
  queue: 'que',
  file: 'fil',
  uploadAddress: 'upl',
  event: 'evt',
  endpoint: 'whe',
  delivery: 'msg',
  approval: 'apr',
  membership: 'mem',
  invitation: 'inv',
  team: 'tea',
  user: 'usr',
  workspace: 'wks',
  apiKey: 'key',
  personalToken: 'pat',
  audit: 'aud',
  agent: 'agt',
  conversation: 'cnv',
  grant: 'gra',
  session: 'ses',
  passkey: 'pky',
  build: 'bld',
  mail: 'mai',
  scimGroup: 'scg',
  notice: 'ntc',
  handling: 'hdl',
  batch: 'bat',
  operation: 'rop',
  alertRule: 'alr',
  alertMessage: 'alm',
  error: 'err',
  view: 'viw',
  hostAuthorities: 'hoa',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** How far the clocks of our processes, which make ids, and of the database may be apart. */
export const CLOCKS_APART_MS = 60_000;

/** A new id, sortable by creation: prefix, `_`, and a UUIDv7 as 26 characters of Crockford's base32 in lower case. */
export function newId(kind: IdKind): string {
  return idOf(ID_PREFIXES[kind], newUuid());
}

const uuid = new Uint8Array(16);
/** Those of one millisecond are numbered, so that they sort by creation too. */
const last = { msecs: -Infinity, seq: 0 };

function newUuid(): Uint8Array {
  const random = randomOctets(16);
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    // Begins in the lower half, so that there is room to count.
    last.seq = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  } else {
    last.seq = (last.seq + 1) | 0;
    if (last.seq === 0) last.msecs += 1;
  }
  return v7({ random, ...last }, uuid);
}

/** The least id that a thing made at that instant, to the millisecond, can have: where a list from then on begins. */
export function firstIdAt(kind: IdKind, instant: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, instant.getTime()), 0, 6);
  return idOf(ID_PREFIXES[kind], bytes);
}

/** When the thing of that id was made, by the clock of the process that made it. */
export function instantOf(id: string): Date {
  let value = 0n;
  for (const digit of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(CROCKFORD.indexOf(digit));
  return new Date(Number(value >> 80n));
}

/** 128 bits are 26 digits of five bits, the first of which begins with two zeros. */
function idOf(prefix: string, bytes: Uint8Array): string {
  let text = `${prefix}_`;
  let bits = 0;
  let count = 2;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += CROCKFORD[(bits >> (count - 5)) & 31]!;
  }
  return text;
}

const FORM = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id of that kind; one that has not cannot exist and needs no look-up. */
export function isId(kind: IdKind, text: string): boolean {
  return FORM.exec(text)?.[1] === ID_PREFIXES[kind];
}

const defined = new Set<string>(Object.values(ID_PREFIXES));

/** The ids of one kind of thing that an extension has. */
export class IdForm {
  /** @internal made by `defineId` */
  constructor(readonly prefix: string) {}

  /** A new id such as `tkt_01jd8ma4wqehq8dm1jy4t7n3sv`: ids sort by when they were made. */
  next(): string {
    return idOf(this.prefix, newUuid());
  }

  /** Whether a text has the form of such an id; one that has not names nothing, and needs no look-up. */
  fits(text: string): boolean {
    return FORM.exec(text)?.[1] === this.prefix;
  }
}

/**
 * Defines what the ids of a kind of thing begin with.
 *
 * @param prefix three letters from a to z, which no other kind has
 * @throws Error where something else has them already: an extension that does so stops the start
 * @example
 * ```ts
 * export const TicketId = defineId('tkt');
 * const id = TicketId.next(); // tkt_01jd8ma4wqehq8dm1jy4t7n3sv
 * ```
 */
export function defineId(prefix: string): IdForm {
  if (!/^[a-z]{3}$/.test(prefix))
    throw new Error(`Ids begin with three letters from a to z, not "${prefix}".`);
  if (defined.has(prefix)) throw new Error(`Ids that begin with "${prefix}_" are something else's already.`);
  defined.add(prefix);
  return new IdForm(prefix);
}
