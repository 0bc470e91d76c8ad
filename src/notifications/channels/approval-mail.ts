import { cutText } from '../../../libs/cut-text/index.js';
import type { MailMessage } from '../../core/mail/index.js';
import { inlineText } from '../inline-text.js';
import type { NotifiedPerson } from '../notification-channel.js';

/** A summary names all hosts with their rules. The mail is written once for each person, and links to the whole. */
const LONGEST_SUMMARY = 4_000;

/**
 * One mail, however many requests there are. It holds no link that decides anything: deciding takes signing in.
 *
 * @param listUrl where all requests are
 */
export function approvalMail(
  { email, count, requests }: NotifiedPerson,
  workspace: string,
  listUrl: string,
): MailMessage {
  const parts = requests.map(({ approveUrl, summary, reason, askedBy }) =>
    [
      cutText(summary, LONGEST_SUMMARY, '… (the rest is on the page of the request)'),
      ...(askedBy === null ? [] : [`Asked for by: ${inlineText(askedBy)}`]),
      'Reason:',
      ...reason.split('\n').map((line) => `> ${line}`),
      `Approve or deny: ${approveUrl}`,
    ].join('\n'),
  );
  const rest = count - requests.length;
  const subject = count === 1 ? requests[0]!.title : `${count} requests`;
  return {
    to: email,
    subject: `Approval needed in ${inlineText(workspace)}: ${subject}`,
    text: [
      ...parts,
      ...(rest > 0 ? [`And ${rest} more: ${listUrl}`] : []),
      `Without a decision ${count === 1 ? 'it expires: its page says' : 'they expire: their pages say'} when.`,
    ].join('\n\n'),
  };
}
