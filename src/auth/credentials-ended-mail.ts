import type { MailMessage } from '../core/mail/index.js';
import type { EndedCredentials } from './credential-ending.service.js';

/** Without the account's name, which somebody else may have chosen. */
export function credentialsEndedMail(
  to: string,
  {
    password,
    secondFactor,
    sessions,
    tokens,
    apps,
  }: EndedCredentials & { password: boolean; secondFactor: boolean },
  saidBy: 'person' | 'company',
): MailMessage {
  return {
    to,
    subject: 'What opened your Gatehouse account before has ended',
    text: [
      'Hello,',
      '',
      saidBy === 'person'
        ? 'you have just shown that this address is yours. Nobody had before, although there was an account with it.'
        : 'your company manages your account from now on. Nobody had shown before that its address is yours.',
      'So these no longer open it:',
      '',
      ...(password ? ['- its password'] : []),
      ...(secondFactor ? ['- its passkeys, app for codes and recovery codes'] : []),
      `- sessions: ${sessions}`,
      `- personal access tokens: ${tokens}`,
      `- connected apps: ${apps}`,
      '',
      'If you made them yourself, make those anew that you need. If not, somebody else used your account: look at',
      'its workspaces, and at the schedules and triggers in your name, and tell the owners of the workspaces.',
      '',
    ].join('\n'),
  };
}
