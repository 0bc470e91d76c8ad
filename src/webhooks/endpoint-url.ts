export const MAX_URL_LENGTH = 2_048;

/** Names that mean something else on every network (RFC 6761, 6762, 8375). */
const NEVER_PUBLIC = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

const UNSEEN = /[\s\\\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Why a URL cannot be an endpoint's, before its host is resolved, or null. */
export function urlProblem(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `must not be longer than ${MAX_URL_LENGTH} characters`;
  // The parser drops or replaces these, so that what is stored, or shown to a person, would not be what was checked.
  if (UNSEEN.test(text))
    return 'must not contain spaces, backslashes, or control and other characters that nobody sees';
  if (!/^https:\/\/[^/]/i.test(text)) return 'must be an https URL, such as https://example.com/hook';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return 'is not a URL';
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password: they would be stored and shown';
  }
  if (text.includes('#')) return 'must not have a fragment (#…): it is never sent';
  if (url.port === '0') return 'names a port that cannot be connected to';
  return null;
}

/** The host of a URL without a problem, as a dialer takes it. */
export function hostOf(text: string): string {
  return new URL(text).hostname;
}

/** Whether a name can only mean something on a private network, so that it need not even be looked up. */
export function isNeverPublic(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return NEVER_PUBLIC.test(name) || !/[.:]/.test(name);
}
