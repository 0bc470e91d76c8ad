import { hasManyMarks } from '../../../normal-text/index.js';

/** Mapped to nothing, and to a space (RFC 4013, 2.1). */
const MAPPED_TO_NOTHING = /[\u00ad\u034f\u1806\u180b-\u180d\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/gu;
const MAPPED_TO_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/**
 * Whether SASLprep leaves a password as it is. Where it also fails, PostgreSQL takes the password as it is, so only those
 * that it changes would need its tables. What has more marks in a row than anybody writes counts as one of them.
 */
export function isPreparedPassword(password: string): boolean {
  if (hasManyMarks(password)) return false;
  return password === password.replace(MAPPED_TO_NOTHING, '').replace(MAPPED_TO_SPACE, ' ').normalize('NFKC');
}
