import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { database, newWorkspace } from '../../support/gatehouse.js';
import { type TestScript, python, run } from '../../support/scripts.js';
import { APPROVALS, approve, byToken, deny, inApp, setRole } from '../../support/approvals.js';

let ws: TestWorkspace;
let maker: TestPerson;
let colleague: TestPerson;
let script: TestScript;
let starter: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  [maker, colleague] = await Promise.all([ws.person('member'), ws.person('member')]);
  starter = byToken(ws, colleague);
  script = await python(byToken(ws, maker), 'print(1)');
  const { status } = await byToken(ws, maker).patch(`/v1/scripts/${script.slug}`, {
    approvalPolicy: 'always',
  });
  expect(status).toBe(200);
});

/** The id of the request of a new held run. */
async function held(): Promise<string> {
  const { status, body } = await run(starter, script);
  expect(status).toBe(202);
  return body.approval.id;
}

const listed = async (person: TestPerson): Promise<string[]> => {
  const { body } = await inApp(ws, person).get(`${APPROVALS}?status=pending&limit=100`);
  return body.items.map(({ id }: Json) => id);
};

const see = async (person: TestPerson, id: string): Promise<number> =>
  (await inApp(ws, person).get(`${APPROVALS}/${id}`)).status;

describe("a held run's request", () => {
  it("is for the script's owner to decide, too, and for no other member", async () => {
    const id = await held();
    const other = await ws.person('member');
    expect([await see(maker, id), await see(other, id), await see(colleague, id)]).toEqual([200, 404, 200]);
    expect(await listed(maker)).toContain(id);
    expect(await listed(other)).toEqual([]);
    for (const person of [other, colleague]) {
      expect((await approve(inApp(ws, person), id)).status).toBe(403);
      expect((await deny(inApp(ws, person), id)).status).toBe(403);
    }
    const { status, body } = await approve(inApp(ws, maker), id);
    expect([status, body.status, body.decidedBy]).toEqual([
      200,
      'completed',
      { userId: maker.id, name: maker.name },
    ]);
  });

  it('is hidden from an owner who does not see the script any more', async () => {
    const id = await held();
    await database().query(
      `UPDATE scripts SET access = 'teams', team_ids = ARRAY['tea_none'] WHERE id = $1`,
      [script.id],
    );
    expect([await see(maker, id), await listed(maker)]).toEqual([404, []]);
    expect((await approve(inApp(ws, maker), id)).status).toBe(403);
    await database().query(`UPDATE scripts SET access = 'workspace', team_ids = '{}' WHERE id = $1`, [
      script.id,
    ]);
    await setRole(ws, maker, 'guest');
    expect((await approve(inApp(ws, maker), id)).status).toBe(403);
    await setRole(ws, maker, 'member');
    expect((await deny(inApp(ws, maker), id, 'Not today')).body.status).toBe('denied');
  });
});
