import type { MailMessage } from '../core/mail/index.js';
import { type EndingCredentials, NAMED } from './credential-expiry.js';

/**
 * Tells somebody in one mail what ends of theirs, with the last characters by which they find each.
 *
 * @param kind such as `API key`
 * @param where what they act in and where they are changed
 */
export function credentialExpiryMail(
  { name, email }: { name: string; email: string },
  kind: string,
  ending: readonly EndingCredentials[],
  where: string,
): Pick<MailMessage, 'to' | 'subject' | 'text'> {
  const count = ending.reduce((sum, each) => sum + each.count, 0);
  const named = ending
    .flatMap(({ first }) =>
      first.map((each) => ({ ...each, expiresAt: new Date(each.expiresAt).toISOString() })),
    )
    .sort((one, other) => one.expiresAt.localeCompare(other.expiresAt))
    .slice(0, NAMED);
  const day = named[0]!.expiresAt.slice(0, 10);
  const more = count - named.length;
  return {
    to: email,
    subject:
      count === 1
        ? `The ${kind} ${named[0]!.name} ends on ${day}`
        : `${count} ${kind}s end, the first on ${day}`,
    text: [
      `Hello ${name},`,
      '',
      'what uses one of these is refused from its end on:',
      '',
      ...named.map((each) => `- the ${kind} "${each.name}" (…${each.last4}) ends at ${each.expiresAt}`),
      ...(more > 0 ? [`- and ${more} more`] : []),
      '',
      where,
      '',
      'What is still needed: make another one and put it in its place before then. For the others there is nothing to do.',
      '',
    ].join('\n'),
  };
}
