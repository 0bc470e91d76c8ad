import type { MailMessage } from '../core/mail/index.js';

export function resetMail({ email, name, link }: { email: string; name: string; link: string }): MailMessage {
  return {
    to: email,
    subject: 'Choose a new password for Gatehouse',
    text: [
      `Hello ${name},`,
      '',
      'somebody, probably you, asked for a new password for your account. Choose one here:',
      '',
      link,
      '',
      'The link works once, within an hour. If it was not you who asked, there is nothing to do:',
      'your password stays as it is.',
      '',
    ].join('\n'),
  };
}
