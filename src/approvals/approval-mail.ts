import type { Mail } from '../core/mail/mail-message.js';
import { approveUrl } from './approval.presenter.js';
import { inlineText } from './inline-text.js';

/** What somebody who may decide is told of requests that were filed together. */
export interface Notice {
  email: string;
  workspace: string;
  count: number;
  /** The first of them. */
  requests: { id: string; title: string; summary: string; reason: string; askedBy: string | null }[];
}

/** One mail, however many requests there are. It holds no link that decides anything: deciding takes signing in. */
export function approvalMail({ email, workspace, count, requests }: Notice, baseUrl: string): Mail {
  const parts = requests.map(({ id, summary, reason, askedBy }) =>
    [
      summary,
      ...(askedBy === null ? [] : [`Asked for by: ${inlineText(askedBy)}`]),
      'Reason:',
      ...reason.split('\n').map((line) => `> ${line}`),
      `Approve or deny: ${approveUrl(baseUrl, id)}`,
    ].join('\n'),
  );
  const rest = count - requests.length;
  const subject = count === 1 ? requests[0]!.title : `${count} requests`;
  return {
    to: email,
    subject: `Approval needed in ${inlineText(workspace)}: ${subject}`,
    text: [
      ...parts,
      ...(rest > 0 ? [`And ${rest} more: ${baseUrl}/approvals`] : []),
      `${count === 1 ? 'It expires' : 'They expire'} after 24 hours without a decision.`,
    ].join('\n\n'),
  };
}
