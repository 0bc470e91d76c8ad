import { cutText } from '../../../libs/cut-text/index.js';

/** A mail to one person. */
export interface MailMessage {
  /** One address, without a name. */
  to: string;
  subject: string;
  /** Plain text; lines are separated by `\n`. */
  text: string;
  /** The workspace that it is about, which takes turns with others. Without one it is about somebody's account, and goes first. */
  workspaceId?: string;
}

const LONGEST_SUBJECT = 200;

/** Whether a text is one address and nothing else: no list, no name, nothing that could become a header or recipient. */
export function isAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s\p{Cc}@<>,;:"()[\]\\]+@[^\s\p{Cc}@<>,;:"()[\]\\]+$/u.test(text);
}

/** Makes one line of a text for the subject header, whatever names that people chose are in it. */
export function subjectLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return cutText(line, LONGEST_SUBJECT, '…');
}
