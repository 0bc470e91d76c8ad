import type { Refusal } from '../../../libs/egress/index.js';

/** @param why a clause, for the script and its log */
export function notApproved(why: string): Refusal {
  return {
    status: 403,
    code: 'request_not_approved',
    reason: `it was not approved: ${why}`,
    message: `This request needs a person's approval, and was not sent: ${why}.`,
  };
}

/** @param why a clause */
export function tooMany(why: string): Refusal {
  return {
    status: 429,
    code: 'too_many_requests',
    reason: `nobody was asked about it: ${why}`,
    message: `This request needs a person's approval, and was not sent: ${why}. Send fewer of them.`,
  };
}
