import { normalizePassword } from '../auth/index.js';
import { readSecretFile } from '../core/config/index.js';
import { randomText } from '../core/crypto/index.js';
import { CommandRefused } from './command-refused.js';

const MADE_UP_LENGTH = 20;

interface AccountPassword {
  password: string;
  /** The same where nobody knows it yet, and it is to be said; else null. */
  madeUp: string | null;
}

/** What a file holds (- for standard input), or one that is made up. */
export async function accountPassword(file: string | undefined): Promise<AccountPassword> {
  if (file !== undefined) return { password: normalizePassword(await passwordIn(file)), madeUp: null };
  const madeUp = randomText(MADE_UP_LENGTH);
  return { password: madeUp, madeUp };
}

async function passwordIn(file: string): Promise<string> {
  const text = await readSecretFile(file).catch((error: Error) => {
    throw new CommandRefused(`The new password could not be read: ${error.message}.`);
  });
  const password = text.replace(/\r?\n$/, '');
  if (!/^.{8,200}$/su.test(password)) throw new CommandRefused('A password has 8 to 200 characters.');
  return password;
}
