import { isMaskable } from '../../secret-forms.js';
import { MASK } from '../../secret-patterns.js';
import { HEADER_BYTES, message } from './messages.js';

/** Takes the password out of what a server says of an error. */
export class Mask {
  private readonly password: Buffer | null;

  /** @param password null: there is none to hide. One of a few letters would blot out ordinary words. */
  constructor(password: string | null) {
    this.password = password !== null && isMaskable(password) ? Buffer.from(password) : null;
  }

  /** A whole message, in which the password is `***`. */
  message(whole: Buffer): Buffer {
    const { password } = this;
    if (password === null || !whole.includes(password)) return whole;
    const parts: Buffer[] = [];
    let at = HEADER_BYTES;
    for (let found = whole.indexOf(password, at); found >= 0; found = whole.indexOf(password, at)) {
      parts.push(whole.subarray(at, found), Buffer.from(MASK));
      at = found + password.length;
    }
    return message(whole[0]!, ...parts, whole.subarray(at));
  }
}
