import { afterAll, beforeAll, expect, it } from 'vitest';

import { ask, byToken, letExpire } from '../../support/approvals.js';
import { database, newWorkspace } from '../../support/gatehouse.js';
import { lockingBriefly } from '../../support/locking.js';

const CONSTRAINT = 'one_request_that_cannot_be_ended';
const ids: string[] = [];

beforeAll(async () => {
  const ws = await newWorkspace();
  const api = byToken(ws, await ws.person('member'));
  for (const name of ['first', 'second', 'third']) {
    ids.push((await ask(api, 'workspace.rename', { name })).id);
  }
  await lockingBriefly(
    `ALTER TABLE approval_requests ADD CONSTRAINT ${CONSTRAINT} CHECK (id <> '${ids[0]}' OR status <> 'expired') NOT VALID`,
  );
});

afterAll(() => lockingBriefly(`ALTER TABLE approval_requests DROP CONSTRAINT ${CONSTRAINT}`));

it('ends the requests behind one that cannot be ended', async () => {
  for (const id of ids) await letExpire(id);
  await expect.poll(statuses).toEqual(['pending', 'expired', 'expired']);
});

async function statuses(): Promise<string[]> {
  const { rows } = await database().query<{ status: string }>(
    'SELECT status FROM approval_requests WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
  return rows.map(({ status }) => status);
}
