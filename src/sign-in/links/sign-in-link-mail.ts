import type { MailMessage } from '../../core/mail/index.js';

/** Without the link: whoever reads the mail of an owner is not to sign in with it. */
export function signInLinkMail(to: string, email: string): MailMessage {
  return {
    to,
    subject: 'Somebody can sign in to Gatehouse with a link of the operator',
    text: [
      'Hello,',
      '',
      `whoever runs this Gatehouse has made a link that signs in as ${email}. It works once, within 15 minutes.`,
      'If you do not know why, ask them. The audit trail says when it was made and used.',
      '',
    ].join('\n'),
  };
}
