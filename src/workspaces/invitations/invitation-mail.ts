import { inlineText } from '../../notifications/index.js';
import type { MailMessage } from '../../core/mail/index.js';

interface InvitationLetter {
  to: string;
  workspace: string;
  /** null: nobody in person. */
  inviter: string | null;
  link: string;
  expiresAt: Date;
}

/** The link only opens a page: a mail scanner that follows it accepts nothing. */
export function invitationMail({ to, workspace, inviter, link, expiresAt }: InvitationLetter): MailMessage {
  const until = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  const place = `"${inlineText(workspace)}"`;
  const text = [
    `${inviter === null ? 'Somebody' : inlineText(inviter)} invites you to join the workspace ${place} on Gatehouse.`,
    '',
    'To accept or decline, open this page:',
    link,
    '',
    `The link is for ${to} alone and works until ${until} UTC. If you did not expect it, you can ignore this mail.`,
    '',
  ].join('\n');
  return { to, subject: `Join ${place} on Gatehouse`, text };
}
