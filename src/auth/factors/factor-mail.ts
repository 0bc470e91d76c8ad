import type { MailMessage } from '../../core/mail/index.js';

export type FactorNews =
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'factors_removed';

const NEWS: Record<FactorNews, string> = {
  authenticator_added: 'An app for codes was added to your account.',
  authenticator_removed: 'The app for codes was removed from your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  recovery_codes_made: 'Your account has new recovery codes. Those before them are good no more.',
  recovery_code_used: 'A recovery code was used for your account.',
  factors_removed: 'Whoever runs this Gatehouse has removed the second factors of your account.',
};

/** Without names, which somebody else may have chosen. */
export function factorMail(to: string, news: FactorNews, baseUrl: string): MailMessage {
  return {
    to,
    subject: 'How you sign in to Gatehouse has changed',
    text: [
      'Hello,',
      '',
      NEWS[news],
      '',
      'If it was not you, choose a new password, then look at your account and end the sessions there:',
      '',
      `${baseUrl}/account`,
      '',
    ].join('\n'),
  };
}
