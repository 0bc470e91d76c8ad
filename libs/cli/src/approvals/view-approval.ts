import type { Context } from '../context.js';
import { printOne } from '../output/print.js';
import { SENT_REQUEST } from './sent-request.js';

export default async function viewApproval({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).approvalRequests.get(args[0]!), options, [
    ['Request', ({ id }) => id],
    ['Action', ({ action }) => action],
    ['Summary', ({ summary }) => summary],
    ['Reason', ({ reason }) => reason],
    ...SENT_REQUEST,
    ['Status', ({ status }) => status],
    ['Decided', ({ decidedAt }) => decidedAt],
    ['Why', ({ decisionReason }) => decisionReason],
    [
      'Expires',
      ({ expiresAt, status }) => (status === 'pending' || status === 'approved' ? expiresAt : null),
    ],
    ['Page', ({ approveUrl }) => approveUrl],
  ]);
}
