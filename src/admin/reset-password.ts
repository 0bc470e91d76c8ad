import { NewPasswordService, normalizePassword, UsersService } from '../auth/index.js';
import { readSecretFile, type Settings } from '../core/config/index.js';
import { hashPassword, randomText } from '../core/crypto/index.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';

const GENERATED_LENGTH = 20;

/** Sets an account's password to what a file holds, or to a random one, which is said once. */
export async function resetPassword(
  settings: Settings,
  email: string,
  passwordFile: string | undefined,
): Promise<string> {
  const given = passwordFile === undefined ? null : await passwordIn(passwordFile);
  const password = given ?? randomText(GENERATED_LENGTH);
  const hash = await hashPassword(normalizePassword(password));
  return withApplication(settings, { alongside: true }, async (app) => {
    const user = await app.get(UsersService, { strict: false }).findByEmail(email);
    if (!user) throw new CommandRefused(`There is no account with the address ${email}.`);
    await app.get(NewPasswordService, { strict: false }).set(user.id, hash, STAFF);
    return [
      `${user.email} has a new password${given === null ? `: ${password}` : '.'}`,
      'All sessions of this account are ended; its tokens still work.',
    ].join('\n');
  });
}

async function passwordIn(file: string): Promise<string> {
  const text = await readSecretFile(file).catch((error: Error) => {
    throw new CommandRefused(`The new password could not be read: ${error.message}.`);
  });
  const password = text.replace(/\r?\n$/, '');
  if (!/^.{8,200}$/su.test(password)) throw new CommandRefused('A password has 8 to 200 characters.');
  return password;
}
