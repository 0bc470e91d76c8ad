import type { Context } from '../context.js';
import { printList } from '../output/print.js';

export default async function listActions({ options, gatehouse }: Context): Promise<void> {
  await printList(await (await gatehouse()).approvalActions.list(), options, [
    ['action', ({ id }) => id],
    ['approved by', ({ approverRoles }) => approverRoles.join(', ')],
    ['secret', ({ createsSecret }) => (createsSecret ? 'yes' : '')],
    ['fields', ({ input }) => Object.keys((input as { properties?: object }).properties ?? {}).join(', ')],
    ['title', ({ title }) => title],
  ]);
}
