import { describe, expect, it } from 'vitest';

import { byAgent, byToken, inApp } from '../support/approvals.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { MEMBERS, membership } from '../support/people.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { byOwner } from '../support/triggers.js';

const startAt = new Date(Date.now() + 3_600_000).toISOString();

/** As if the time of the runs had come. */
const due = (...ids: string[]) =>
  database().query('UPDATE runs SET start_at = now() WHERE id = ANY($1)', [ids]);

describe('a run that was asked for long ago', () => {
  it('does not start for whoever has left the workspace, or may not see the script, by then', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const script = await python(api, 'print(1)');
    const [leaver, loser] = [await workspace.person('member'), await workspace.person('member')];
    const later = async (who: typeof leaver): Promise<string> => {
      const { body, text } = await byToken(workspace, who).post(`/v1/scripts/${script.slug}/runs`, {
        startAt,
      });
      expect(body.phase, text).toBe('delayed');
      return body.id as string;
    };
    const [ofLeaver, ofLoser] = [await later(leaver), await later(loser)];
    const app = inApp(workspace, workspace.owner);
    const { id } = (await membership(workspace, leaver))!;
    expect((await app.delete(`${MEMBERS}/${id}`)).status).toBe(204);
    await due(ofLeaver);
    expect(await runUntil(api, ofLeaver, finished)).toMatchObject({
      status: 'cancelled',
      error: 'it could not start: who started it is not a member of the workspace any more',
      executionStartedAt: null,
    });
    const team = await app.post('/v1/workspace/teams', { name: 'insiders' });
    const access = { access: 'teams', teamIds: [team.body.id as string] };
    const narrowed = await app.patch(`/v1/scripts/${script.slug}`, access);
    expect(narrowed.status, narrowed.text).toBe(200);
    await due(ofLoser);
    expect(await runUntil(api, ofLoser, finished)).toMatchObject({
      status: 'cancelled',
      error: `it could not start: who started it has no access to the script ${script.slug} any more`,
      executionStartedAt: null,
    });
  });

  it('does not start for an agent where agents may not run scripts by then', async () => {
    const workspace = await newWorkspace();
    const agent = await byAgent(workspace, workspace.owner);
    const script = await python(byOwner(workspace), 'print(1)');
    const { body } = await agent.post(`/v1/scripts/${script.slug}/runs`, { startAt });
    expect(body.phase).toBe('delayed');
    await database().query('UPDATE environments SET agents_allowed = false WHERE workspace_id = $1', [
      workspace.id,
    ]);
    await due(body.id as string);
    expect(await runUntil(byOwner(workspace), body.id as string, finished)).toMatchObject({
      status: 'cancelled',
      error: 'it could not start: agents may not run scripts in production any more',
    });
  });
});

it('a key of one script takes no place of another script, nor of another workspace', async () => {
  const fields = {
    concurrency: { limit: 1, key: '{key}' },
    inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
    timeout: 90,
  };
  const forever = 'import time\ntime.sleep(80)';
  const [one, two] = [byOwner(await newWorkspace()), byOwner(await newWorkspace())];
  const mine = await python(one, forever, fields);
  const { id: environment } = (await one.get('/v1/workspace/environments')).body.items[0];
  const places = [
    { api: one, script: mine, key: 'same' },
    { api: one, script: await python(one, forever, fields), key: 'same' },
    { api: two, script: await python(two, forever, fields), key: 'same' },
    // What is written like another's key is a text, and no key of another.
    { api: two, script: await python(two, forever, fields), key: `${mine.id}/${environment}/same` },
  ];
  const going: (() => Promise<unknown>)[] = [];
  for (const { api, script, key } of places) {
    const { body } = await run(api, script, { key });
    await runUntil(api, body.id as string, ({ phase }) => phase === 'executing');
    going.push(() => api.post(`/v1/runs/${body.id}/cancel`));
  }
  await Promise.all(going.map((cancel) => cancel()));
});
