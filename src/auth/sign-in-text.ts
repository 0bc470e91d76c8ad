import { normalText } from '../../libs/normal-text/index.js';

/** How an address is stored and looked up. Upper and lower case are the same. */
export function normalizeEmail(email: string): string {
  return normalText(email, 'NFC').trim().toLowerCase();
}

/** The same password may arrive as different code points from another keyboard. */
export function normalizePassword(password: string): string {
  return password.normalize('NFC');
}
