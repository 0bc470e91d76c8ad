import { NewPasswordService, UsersService } from '../auth/index.js';
import type { Settings } from '../core/config/index.js';
import { hashPassword } from '../core/crypto/index.js';
import { accountPassword } from './account-password.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';

/** Sets an account's password to what a file holds, or to a random one, which is said once. */
export async function resetPassword(
  settings: Settings,
  email: string,
  { passwordFile }: { passwordFile?: string },
): Promise<string> {
  const { password, madeUp } = await accountPassword(passwordFile);
  const hash = await hashPassword(password);
  return withApplication(settings, { alongside: true }, async (app) => {
    const user = await app.get(UsersService, { strict: false }).findByEmail(email);
    if (!user) throw new CommandRefused(`There is no account with the address ${email}.`);
    await app.get(NewPasswordService, { strict: false }).set(user.id, hash, STAFF);
    return [
      `${user.email} has a new password${madeUp === null ? '.' : `: ${madeUp}`}`,
      'All sessions of this account are ended; its tokens still work.',
    ].join('\n');
  });
}
