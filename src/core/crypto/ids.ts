import { v7 } from 'uuid';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** What an id begins with, by the kind of thing that it names. */
export const ID_PREFIXES = {
  run: 'run',
  script: 'scr',
  version: 'ver',
  environment: 'env',
  secret: 'sec',
  schedule: 'sch',
  trigger: 'trg',
  file: 'fil',
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
  grant: 'gra',
  session: 'ses',
  build: 'bld',
  mail: 'mai',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** How far the clocks of our processes, which make ids, and of the database may be apart. */
export const CLOCKS_APART_MS = 60_000;

/** A new id, sortable by creation: prefix, `_`, and a UUIDv7 as 26 characters of Crockford's base32 in lower case. */
export function newId(kind: IdKind): string {
  let value = 0n;
  for (const byte of v7(undefined, new Uint8Array(16))) value = (value << 8n) | BigInt(byte);
  return idOf(kind, value);
}

/** The least id that a thing made at that instant, to the millisecond, can have: where a list from then on begins. */
export function firstIdAt(kind: IdKind, instant: Date): string {
  return idOf(kind, BigInt(Math.max(0, instant.getTime())) << 80n);
}

/** When the thing of that id was made, by the clock of the process that made it. */
export function instantOf(id: string): Date {
  let value = 0n;
  for (const digit of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(CROCKFORD.indexOf(digit));
  return new Date(Number(value >> 80n));
}

function idOf(kind: IdKind, uuid: bigint): string {
  let text = '';
  for (let rest = uuid; text.length < 26; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text;
  return `${ID_PREFIXES[kind]}_${text}`;
}

const FORM = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the form of an id of that kind; one that has not cannot exist and needs no look-up. */
export function isId(kind: IdKind, text: string): boolean {
  return FORM.exec(text)?.[1] === ID_PREFIXES[kind];
}
