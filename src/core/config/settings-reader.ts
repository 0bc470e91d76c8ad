import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

import { closest, distance } from 'fastest-levenshtein';

import { isKnownBesides, OWN } from './other-names.js';

/** Stops the start: names each wrong setting, what it got and what it takes. */
export class InvalidSettings extends Error {
  constructor(readonly problems: string[]) {
    super(`These settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'InvalidSettings';
  }
}

/** Where the text of a value may be a user with a password, or a query with a key. */
const MAY_HOLD_CREDENTIAL = /[@?#]/;

/** By so many characters a name may differ from the one that was meant. */
const FARTHEST = 6;
const HOST_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/i;

/** Reads environment variables by type and collects all problems, so that one start reports every one. */
export class SettingsReader {
  private readonly problems: string[] = [];
  private readonly names = new Set<string>();

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  /** A variable that is set to nothing counts as not set, as in a compose file. */
  text(name: string): string | null {
    this.names.add(name);
    const value = this.environment[name]?.trim();
    return value ? value : null;
  }

  matching(name: string, pattern: RegExp, takes: string): string | null {
    const value = this.text(name);
    if (value !== null && !pattern.test(value)) this.refuse(name, takes);
    return value;
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    this.refuseShowing(name, value, `a whole number from ${min} to ${max}`);
    return fallback;
  }

  /** A part of a whole: more than nothing, and at most all. */
  fraction(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^(\d+\.?\d*|\.\d+)$/.test(value) && number > 0 && number <= 1) return number;
    this.refuseShowing(name, value, 'a number above 0 and up to 1');
    return fallback;
  }

  /** A part of a whole, which may be none. */
  share(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^(\d+\.?\d*|\.\d+)$/.test(value) && number <= 1) return number;
    this.refuseShowing(name, value, 'a number from 0 to 1');
    return fallback;
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const choice = choices.find((item) => item === value);
    if (choice === undefined) this.refuseShowing(name, value, `one of ${choices.join(', ')}`);
    return choice ?? fallback;
  }

  /** The absolute path of a program. */
  program(name: string): string | null {
    const value = this.text(name);
    if (value !== null && !(isAbsolute(value) && isExecutable(value)))
      this.refuseShowing(name, value, 'the absolute path of a program');
    return value;
  }

  /** An URL without a trailing slash. */
  url(name: string, protocols: string[]): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const takes = `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      this.refuse(name, takes);
      return null;
    }
    return value.replace(/\/+$/, '');
  }

  base64(name: string, bytes: number): Buffer | null {
    const value = this.text(name);
    if (value === null) return null;
    const decoded = Buffer.from(value, 'base64');
    if (
      decoded.length === bytes &&
      decoded.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')
    ) {
      return decoded;
    }
    this.refuse(name, `${bytes} bytes in base64, as \`openssl rand -base64 ${bytes}\` prints`);
    return null;
  }

  /** Addresses or CIDR ranges, separated by commas. */
  cidrs(name: string): string[] {
    const values = this.list(name);
    for (const value of values) {
      if (!isRange(value)) {
        this.refuseShowing(name, value, 'addresses or ranges such as 10.0.0.0/8, separated by commas');
      }
    }
    return values;
  }

  /** Host names or addresses, separated by commas. */
  hosts(name: string): string[] {
    const values = this.list(name);
    for (const value of values) {
      if (isIP(value) === 0 && !HOST_NAME.test(value)) {
        this.refuseShowing(
          name,
          value,
          'names or addresses such as gatehouse.internal, without a port, separated by commas',
        );
      }
    }
    return values;
  }

  /** Does not repeat what was set: it may be a credential, or have one in it. */
  refuse(name: string, takes: string): void {
    this.problems.push(`${name}: got a value that does not fit; it takes ${takes}.`);
  }

  /**
   * Repeats what was set. Only for what is never a credential: choices, numbers, ranges, our own words and names.
   *
   * @param why in the words of a parser, which may repeat it as well
   */
  refuseShowing(name: string, value: string, takes: string, why?: string): void {
    if (MAY_HOLD_CREDENTIAL.test(value)) return this.refuse(name, takes);
    this.problems.push(`${name}: got "${value}"; it takes ${takes}${why === undefined ? '' : ` (${why})`}.`);
  }

  /** Of what has to be set where something else is. */
  lacks(name: string, takes: string): void {
    this.problems.push(`${name} is missing; it takes ${takes}.`);
  }

  /** To be called when all is read. */
  finish(): void {
    this.refuseUnknown();
    if (this.problems.length > 0) throw new InvalidSettings(this.problems);
  }

  /** A misspelt name would leave its setting at the default, and nobody would know. */
  private refuseUnknown(): void {
    const known = [...this.names].filter((name) => name.startsWith(OWN));
    for (const [name, value] of Object.entries(this.environment)) {
      if (!name.startsWith(OWN) || !value?.trim()) continue;
      if (this.names.has(name) || isKnownBesides(name, value)) continue;
      const nearest = closest(name, known);
      const isNear = distance(name, nearest) <= FARTHEST;
      this.problems.push(
        isNear
          ? `${name}: there is no such setting. Did you mean ${nearest}?`
          : `${name}: there is no such setting. .env.example lists those that there are.`,
      );
    }
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** An address or a range of them. Short forms such as `10.1` are none: they are read in more than one way. */
function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
