import { describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, byToken, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { allDispatched, byOwner, newTriggerWorld, trigger } from '../support/triggers.js';

const FAILS = 'import sys\nsys.exit(75)\n';

const runsIn = async ({ id }: TestWorkspace): Promise<Json[]> =>
  (
    await database().query(
      `SELECT r.phase, r.attempt, r.hops, (SELECT count(*)::int FROM run_attempts a WHERE a.run_id = r.id) AS earlier
       FROM runs r WHERE r.workspace_id = $1 ORDER BY r.hops`,
      [id],
    )
  ).rows as Json[];

describe('a script that is tried again', () => {
  it.each(['run.retrying', 'run.failed'])(
    'cannot go on for ever by a trigger of its own %s',
    async (eventType) => {
      const { workspace, api } = await newTriggerWorld();
      const retry = { attempts: 2, delay: 0, on: ['exit:75'] };
      const script = await python(api, FAILS, { retry, inputSchema: { type: 'object' } });
      const made = await trigger(api, script, { eventType, filter: { 'script.slug': script.slug } });
      await run(api, script);
      const isOver = async (): Promise<boolean> => {
        const { enabled } = (await api.get(`/v1/triggers/${made.id}`)).body;
        return !enabled && (await runsIn(workspace)).every(({ phase }) => phase === 'finished');
      };
      await expect.poll(isOver).toBe(true);
      await allDispatched(workspace);
      const runs = await runsIn(workspace);
      // The first one and those of eight triggers, each tried as often as it may be.
      expect(runs.map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(runs.every(({ attempt, earlier }) => attempt === 2 && earlier === 1)).toBe(true);
      expect((await api.get(`/v1/triggers/${made.id}`)).body.disabledReason).toContain('chain');
    },
  );

  it('is approved once, and only before its first attempt', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const retry = { attempts: 3, delay: 0, on: ['exit:75'] };
    const script = await python(api, FAILS, { retry });
    expect((await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' })).status).toBe(200);
    const { body } = await run(api, script);
    expect(body).toMatchObject({ status: 'awaiting_approval', attempt: 1 });
    await approve(inApp(workspace, workspace.owner), body.approval.id);
    expect(await runUntil(api, body.id, finished)).toMatchObject({ status: 'failed', attempt: 3 });
    const { rows } = await database().query(
      `SELECT (SELECT count(*)::int FROM approval_requests WHERE workspace_id = $1) AS requests,
         (SELECT count(*)::int FROM events WHERE workspace_id = $1 AND type = 'run.awaiting_approval') AS held`,
      [workspace.id],
    );
    expect(rows).toEqual([{ requests: 1, held: 1 }]);
  });

  it('can be ended between two attempts by whoever may, and by nobody else', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const script = await python(api, FAILS, { retry: { attempts: 10, delay: 3600 }, timeout: 60 });
    const { body } = await run(api, script);
    await runUntil(api, body.id, ({ phase }) => phase === 'retrying');
    const guest = byToken(workspace, await workspace.person('guest'));
    const stranger = byOwner(await newWorkspace());
    for (const other of [guest, stranger])
      expect((await other.post(`/v1/runs/${body.id}/cancel`)).status).toBe(404);
    const token = await workspace.owner.tokenWith({ scopes: ['runs:read'] });
    const reader = client({ token, workspace: workspace.slug });
    expect((await reader.post(`/v1/runs/${body.id}/cancel`)).status).toBe(403);
    expect((await api.get(`/v1/runs/${body.id}`)).body.phase).toBe('retrying');
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    // What was due anyway does not bring it back.
    await database().query(`UPDATE runs SET next_attempt_at = now() WHERE id = $1`, [body.id]);
    const other = await python(api, FAILS, { retry: { attempts: 2, delay: 0 } });
    await runUntil(api, (await run(api, other)).body.id, finished);
    expect((await api.get(`/v1/runs/${body.id}`)).body).toMatchObject({ phase: 'finished', attempt: 1 });
  });
});
