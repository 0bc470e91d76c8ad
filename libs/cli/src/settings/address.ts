import { WrongUse } from '../failure/command-failure.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/;

/** Where the service is, as a person writes it: without a scheme it is https, but for this machine's own. */
export function addressOf(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `${LOOPBACK.test(text) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(url)) {
    throw new WrongUse(`"${text}" is no address.`, 'Give one such as https://gatehouse.example.com');
  }
  const { origin, pathname, username } = new URL(url);
  if (username !== '') throw new WrongUse('The address must not have a name or password in it.');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
