import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, newTeam } from '../support/people.js';
import { type TestScript, python } from '../support/scripts.js';

/** Schedules and triggers of a script, one of each by a member and by the owner. */
let workspace: TestWorkspace;
let member: TestPerson;
let owner: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  member = await workspace.person('member');
  owner = byToken(workspace.owner, workspace);
});

async function automations(by: Client, { slug }: TestScript): Promise<string[]> {
  const schedule = await by.post(`/v1/scripts/${slug}/schedules`, { name: 'Yearly', cron: '0 0 1 1 *' });
  const trigger = await by.post(`/v1/scripts/${slug}/triggers`, { name: 'When', eventType: 'run.failed' });
  expect([schedule.status, trigger.status]).toEqual([201, 201]);
  return [`/v1/schedules/${schedule.body.id}`, `/v1/triggers/${trigger.body.id}`];
}

/** Read at once: what takes the access away has switched them off by the time of the response. */
async function expectOff(paths: string[], reason: string): Promise<void> {
  for (const path of paths) {
    expect((await owner.get(path)).body).toMatchObject({ enabled: false, disabledReason: reason });
    const type = path.includes('schedules') ? 'schedule.disabled' : 'trigger.disabled';
    const id = path.split('/').at(-1)!;
    const { rows } = await database().query<Json>(
      `SELECT (SELECT count(*)::int FROM events WHERE type = $1 AND data ->> 'id' = $2) AS events,
         (SELECT count(*)::int FROM audit_events WHERE action = $1 AND target_id = $2) AS audit`,
      [type, id],
    );
    expect(rows).toEqual([{ events: 1, audit: 1 }]);
  }
}

async function expectOn(paths: string[]): Promise<void> {
  for (const path of paths) expect((await owner.get(path)).body.enabled).toBe(true);
}

describe('whoever loses a script loses their schedules and triggers of it at once', () => {
  const share = ({ slug }: TestScript, teamIds: string[]) =>
    owner.patch(`/v1/scripts/${slug}`, { access: 'teams', teamIds });
  const lost = ({ slug }: TestScript) => `its creator has no access to the script ${slug} any more`;

  it('when it is kept for a team', async () => {
    const script = await python(owner, 'print(1)');
    const theirs = await automations(byToken(member, workspace), script);
    const own = await automations(owner, script);
    const key = await automations(client({ token: await workspace.apiKey() }), script);
    const team = await newTeam(workspace, 'Others');
    expect((await share(script, [team.id])).status).toBe(200);
    await expectOff(theirs, lost(script));
    await expectOn([...own, ...key]);
  });

  it('when it goes to another team, when they leave the team, and when the team is deleted', async () => {
    const scripts = [];
    for (let count = 0; count < 3; count++) scripts.push(await python(owner, 'print(1)'));
    const [moved, left, deleted] = scripts as [TestScript, TestScript, TestScript];
    const [first, second, other] = [
      await newTeam(workspace, 'First', [member]),
      await newTeam(workspace, 'Second', [member]),
      await newTeam(workspace, 'Other'),
    ];
    await share(moved, [first.id]);
    await share(left, [first.id]);
    await share(deleted, [second.id, other.id]);
    const by = byToken(member, workspace);
    const made = [await automations(by, moved), await automations(by, left), await automations(by, deleted)];

    await share(moved, [other.id]);
    await expectOff(made[0]!, lost(moved));
    await expectOn([...made[1]!, ...made[2]!]);
    expect((await owner.delete(`/v1/workspace/teams/${first.id}/members/${member.id}`)).status).toBe(204);
    await expectOff(made[1]!, lost(left));
    await expectOn(made[2]!);
    expect((await owner.delete(`/v1/workspace/teams/${second.id}`)).status).toBe(204);
    await expectOff(made[2]!, lost(deleted));
  });

  it("when nothing of it is published any more, everybody's", async () => {
    const script = await python(owner, 'print(1)');
    const made = [
      ...(await automations(byToken(member, workspace), script)),
      ...(await automations(owner, script)),
    ];
    expect((await owner.post(`/v1/scripts/${script.slug}/unpublish`)).status).toBe(200);
    await expectOff(made, `the script ${script.slug} has no published version`);
  });
});
