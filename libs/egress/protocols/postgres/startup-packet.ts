import { cstring, cstringAt, Fatal, int32 } from './messages.js';
import { type PostgresOptions, isJudged } from './postgres-options.js';
import { isHarmless, isReadBy, isSafeEncoding, isSwitchedOn, isTimeWithin } from './settings.js';

/** How a client opens its session. */
export interface StartupPacket {
  /** Of version 3: 0 or 2, so far. */
  minor: number;
  /** In the client's order. Values are the client's bytes, one character each. */
  parameters: [name: string, value: string][];
  /** Options of the protocol that nobody here knows. */
  unknown: string[];
}

const NEWEST_MINOR = 2;
const VERSION_3_0 = 0x30000;
const MAX_PARAMETERS = 64;
const NEGOTIATED = '_pq_.';
const OWN = new Set(['user', 'database', 'replication', 'options']);
const USUAL = /^(?:client_encoding=(?:utf-?8|unicode)|datestyle=iso)$/i;
const malformed = (): Fatal => new Fatal('08P01', 'The start-up message cannot be read.');

/** @param version of the protocol @param body what follows it @throws Fatal */
export function parseStartup(version: number, body: Buffer): StartupPacket {
  if (version >>> 16 !== 3)
    throw new Fatal('0A000', 'The gate speaks version 3 of the PostgreSQL protocol.', 'Use another client.');
  const packet: StartupPacket = { minor: version & 0xffff, parameters: [], unknown: [] };
  const names = new Set<string>();
  let at = 0;
  while (body[at] !== 0) {
    const name = cstringAt(body, at);
    const value = name && cstringAt(body, at + name.length + 1);
    if (!name || !value) throw malformed();
    at += name.length + value.length + 2;
    const text = name.toString('latin1');
    if (names.has(text) || names.size >= MAX_PARAMETERS) throw malformed();
    names.add(text);
    if (text.startsWith(NEGOTIATED)) packet.unknown.push(text);
    else packet.parameters.push([text, value.toString('latin1')]);
  }
  if (at + 1 !== body.length) throw malformed();
  return packet;
}

/** Which database is opened: with no name, the server takes the user's. */
export function databaseOf(
  { parameters }: StartupPacket,
  { database, credentials }: PostgresOptions,
): string {
  const given = new Map(parameters);
  const named = database ?? (given.has('database') ? latin1(given.get('database')!).toString() : '');
  return named || credentials?.user || latin1(given.get('user') ?? '').toString();
}

/** Whether the client must be told what of its wishes nobody here can grant. */
export function needsNegotiation({ minor, unknown }: StartupPacket): boolean {
  return minor > NEWEST_MINOR || unknown.length > 0;
}

/** The body of NegotiateProtocolVersion. */
export function negotiation({ minor, unknown }: StartupPacket): Buffer {
  const version = VERSION_3_0 + Math.min(minor, NEWEST_MINOR);
  return Buffer.concat([
    int32(version),
    int32(unknown.length),
    ...unknown.map((name) => cstring(Buffer.from(name, 'latin1'))),
  ]);
}

/** Whether the client takes a cancel key of more than four bytes. */
export function takesLongKey({ minor }: StartupPacket): boolean {
  return minor >= NEWEST_MINOR;
}

/**
 * What the session is opened with outward.
 * @returns the whole message
 * @throws Fatal when the client asks for what the gate does not pass
 */
export function outwardStartup(packet: StartupPacket, options: PostgresOptions): Buffer {
  const given = new Map(packet.parameters);
  if (given.has('replication'))
    throw new Fatal('0A000', 'Replication does not pass the gate.', 'Connect without it.');
  const settings = sessionSettings(packet, options);
  const user = options.credentials ? Buffer.from(options.credentials.user) : latin1(given.get('user') ?? '');
  if (user.length === 0) throw new Fatal('28000', 'The start-up message names no user.');
  const database = options.database ? Buffer.from(options.database) : latin1(given.get('database') ?? '');
  const parts = [cstring('user'), cstring(user)];
  if (database.length > 0) parts.push(cstring('database'), cstring(database));
  for (const [name, value] of settings) parts.push(cstring(latin1(name)), cstring(value));
  const body = Buffer.concat([int32(VERSION_3_0), ...parts, Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

/** What the client has a statement read by, as text, but for what is so anyway. */
export function startSettings({ parameters }: StartupPacket): string[] {
  return parameters
    .flatMap(spreadOptions)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name, value]) => !OWN.has(name) && isReadBy(name) && !USUAL.test(`${name}=${value}`))
    .map(([name, value]) => `${name} = ${value}`);
}

function sessionSettings(packet: StartupPacket, options: PostgresOptions): Map<string, Buffer> {
  const settings = new Map<string, Buffer>();
  for (const [name, value] of packet.parameters.flatMap(spreadOptions)) {
    if (OWN.has(name)) continue;
    const lower = name.toLowerCase();
    checkSetting(lower, value, options);
    settings.set(lower, latin1(value));
  }
  if (!isJudged(options)) return settings;
  if (!settings.has('client_encoding')) settings.set('client_encoding', Buffer.from('UTF8'));
  settings.set('standard_conforming_strings', Buffer.from('on'));
  if (options.readOnly) settings.set('default_transaction_read_only', Buffer.from('on'));
  if (options.role !== null) settings.set('role', Buffer.from(options.role));
  if (options.statementTimeoutMs !== null && !settings.has('statement_timeout'))
    settings.set('statement_timeout', Buffer.from(String(options.statementTimeoutMs)));
  return settings;
}

function checkSetting(name: string, value: string, options: PostgresOptions): void {
  const shown = /^[a-z_.]{1,63}$/.test(name) ? name : 'of that name';
  if (!isHarmless(name) && !isSwitchedOn(name, value))
    throw new Fatal(
      '0A000',
      `The start-up parameter ${shown} does not pass the gate.`,
      'Leave it out, or use SET once connected.',
    );
  if (!isJudged(options)) return;
  if (name === 'client_encoding' && !isSafeEncoding(value))
    throw new Fatal('0A000', 'That client encoding does not pass the gate.', 'Use UTF8.');
  if (name === 'statement_timeout') checkTimeout(value, options.statementTimeoutMs);
}

function checkTimeout(value: string, most: number | null): void {
  if (most !== null && !isTimeWithin(value, most))
    throw new Fatal(
      '42501',
      `The gate ends statements after ${most} ms; no longer time can be set.`,
      'Leave statement_timeout out.',
    );
}

/** The server would split `options` into words, of which each may be any setting. */
function spreadOptions([name, value]: [string, string]): [string, string][] {
  if (name !== 'options') return [[name, value]];
  const words = wordsOf(value);
  const spread: [string, string][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const setting = word === '-c' ? (words[++at] ?? '') : word.replace(/^(?:-c|--)/, '');
    const [, key, text] = /^([A-Za-z_-]+)=(.*)$/s.exec(setting) ?? [];
    if (key === undefined || text === undefined || !/^(?:-c|--)/.test(word))
      throw new Fatal(
        '0A000',
        'Those start-up options do not pass the gate.',
        'Only -c name=value is understood.',
      );
    spread.push([key.replaceAll('-', '_'), text]);
  }
  return spread;
}

/** As PostgreSQL splits them: at white space, and a backslash takes the next character as it is. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:\\[\s\S]|[^\s\\])+/g) ?? [];
  return words.map((word) => word.replace(/\\([\s\S])/g, '$1'));
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
