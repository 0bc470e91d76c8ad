import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { MAX_HELD_TEXT_BYTES } from '../../held-request.js';
import { commandOf } from './plan-judge.js';
import { shownStatement } from './shown-statement.js';
import type { ToldSettings } from './told-settings.js';

/** A statement that waits for a person. */
export interface AskedStatement {
  command: string;
  /** With its parameters, and what is known of how it is read. */
  shown: Buffer;
  /** Of the bytes that will be sent, and of how they are read, in hexadecimal. */
  sha256: string;
}

interface Sending {
  sql: Buffer;
  /** Of its Bind; null: it has none. */
  bind: Buffer | null;
  messages: readonly Buffer[];
}

/**
 * @param nonce of the session, hashed where what the settings are by now only the server knows
 * @returns null where a person could not be shown all of it
 */
export function askedStatement(
  { sql, bind, messages }: Sending,
  settings: ToldSettings,
  nonce: string,
): AskedStatement | null {
  const shown = shownStatement(sql, bind, settings.texts);
  if (shown.length > MAX_HELD_TEXT_BYTES || !isUtf8(shown)) return null;
  const sha256 = createHash('sha256').update(JSON.stringify([sql.length, messages.length]));
  sha256.update(settings.isAsBegun ? JSON.stringify(settings.texts) : nonce);
  for (const bytes of [sql, ...messages]) sha256.update(bytes);
  return { command: commandOf(sql.toString()), shown, sha256: sha256.digest('hex') };
}
