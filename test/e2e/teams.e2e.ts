import { describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import {
  INVITATIONS,
  MEMBERS,
  TEAMS,
  auditOf,
  byToken,
  credentials,
  inApp,
  newMember,
  newTeam,
} from '../support/people.js';
import { newSlug, python } from '../support/scripts.js';

const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const byOwner = (workspace: TestWorkspace): Client => inApp(workspace.owner, workspace);
const names = (answer: Answer): string[] => answer.body.items.map(({ name }: Json) => name);

describe('POST /v1/workspace/teams', () => {
  it('makes a team with nobody in it', async () => {
    const workspace = await newWorkspace();
    const made = await byOwner(workspace).post(TEAMS, { name: 'Design' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tea_[0-9a-z]{26}$/),
        name: 'Design',
        isDefault: false,
        memberIds: [],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect((await byOwner(workspace).get(`${TEAMS}/${made.body.id}`)).body).toEqual(made.body);
    expect(await auditOf(workspace, made.body.id)).toEqual([
      {
        action: 'team.created',
        actorType: 'user',
        actorUserId: workspace.owner.id,
        credentialType: null,
        targetType: 'team',
        details: { name: 'Design' },
      },
    ]);
  });

  it.each(['فريق التصميم', 'a\u200bb', '\u202eb\u2066', '🚀'.repeat(100), "'); DROP TABLE teams; --"])(
    'takes the name %j',
    async (name) => {
      const workspace = await newWorkspace();
      const made = await byOwner(workspace).post(TEAMS, { name });
      expect([made.status, made.body.name]).toEqual([201, name]);
      expect(names(await byOwner(workspace).get(TEAMS))).toContain(name);
    },
  );

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 1 }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\tb' }, 'name'],
    [{ name: 'a', memberIds: [] }, 'memberIds'],
    [{ name: 'a', isDefault: true }, 'isDefault'],
  ])('refuses %j', async (body, at) => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).post(TEAMS, body);
    expect([answer.status, paths(answer)]).toEqual([400, [at]]);
  });

  it('takes a name once in a workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    await newTeam(other, 'Design');
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => byOwner(workspace).post(TEAMS, { name: 'Design' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const again = await byOwner(workspace).post(TEAMS, { name: 'Everyone' });
    expect([again.status, again.body.error.code, paths(again)]).toEqual([409, 'conflict', ['name']]);
  });
});

describe('GET /v1/workspace/teams', () => {
  it('lists teams with who is in them, newest first, page by page', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(workspace, 'member');
    const guest = await newMember(workspace, 'guest');
    const design = await newTeam(workspace, 'Design', [person, guest.person]);
    const sales = await newTeam(workspace, 'Sales');
    await newTeam(await newWorkspace(), 'Theirs');
    const everyone = {
      id: workspace.defaultTeamId,
      name: 'Everyone',
      isDefault: true,
      memberIds: [workspace.owner.id, person.id].sort(),
      createdAt: expect.stringMatching(/Z$/),
    };
    expect(design.memberIds).toEqual([person.id, guest.person.id].sort());
    const first = await byOwner(workspace).get(`${TEAMS}?limit=2`);
    expect(first.body.items).toEqual([sales, design]);
    const last = await byOwner(workspace).get(`${TEAMS}?limit=2&cursor=${first.body.nextCursor}`);
    expect(last.body).toEqual({ items: [everyone], nextCursor: null });
    for (const query of ['limit=0', 'cursor=x', 'name=Design', 'limit=1&limit=1']) {
      expect((await byOwner(workspace).get(`${TEAMS}?${query}`)).status).toBe(400);
    }
    expect((await byOwner(workspace).get(`${MEMBERS}?cursor=${first.body.nextCursor}`)).status).toBe(400);
  });

  it('is for members and keys', async () => {
    const workspace = await newWorkspace();
    const { id } = await newTeam(workspace, 'Design');
    for (const [who, api] of Object.entries(await credentials(workspace))) {
      const expected = who === 'nobody' ? 401 : who.startsWith('a guest') ? 403 : 200;
      expect([who, (await api.get(TEAMS)).status]).toEqual([who, expected]);
      expect([who, (await api.get(`${TEAMS}/${id}`)).status]).toEqual([who, expected]);
    }
    const narrow = await workspace.owner.tokenWith({ scopes: ['workspace.teams:write'] });
    expect((await client({ token: narrow, workspace: workspace.slug }).get(TEAMS)).status).toBe(403);
  });
});

describe('changing teams', () => {
  it('is for owners, admins, their agents and keys that are bound to no environment', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(workspace, 'member');
    const team = await newTeam(workspace, 'Design', [person]);
    const path = `${TEAMS}/${team.id}`;
    const others = await credentials(workspace);
    const allowed = {
      'an admin in the app': inApp(await workspace.person('admin'), workspace),
      'an admin by token': byToken(await workspace.person('admin'), workspace),
      "an owner's agent": client({ token: await workspace.owner.agent() }),
      'a key': others['a key']!,
    };
    for (const [who, api] of Object.entries(others).filter(([who]) => !(who in allowed))) {
      const expected = who === 'nobody' ? 401 : 403;
      const answers = [
        await api.post(TEAMS, { name: 'Mine' }),
        await api.post(TEAMS, { nonsense: 1 }),
        await api.patch(path, { name: 'Mine' }),
        await api.delete(path),
        await api.delete(`${TEAMS}/x`),
        await api.put(`${path}/members/${workspace.owner.id}`),
        await api.delete(`${path}/members/${person.id}`),
      ];
      expect([who, ...answers.map(({ status }) => status)]).toEqual([who, ...answers.map(() => expected)]);
    }
    expect((await byOwner(workspace).get(path)).body).toEqual(team);
    for (const [who, api] of Object.entries(allowed)) {
      // What opens scripts to more people takes a person.
      const opened = who.startsWith('an admin') ? 200 : 403;
      const made = await api.post(TEAMS, { name: who });
      const own = `${TEAMS}/${made.body.id}`;
      const answers = [
        made,
        await api.patch(own, { name: `${who}!` }),
        await api.put(`${own}/members/${person.id}`),
        await byOwner(workspace).put(`${own}/members/${person.id}`),
        await api.delete(`${own}/members/${person.id}`),
        await api.delete(own),
      ];
      expect([who, ...answers.map(({ status }) => status)]).toEqual([
        who,
        201,
        opened,
        opened,
        200,
        204,
        204,
      ]);
    }
  });

  it("does not find another workspace's team, or none", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { person } = await newMember(other, 'member');
    const theirs = await newTeam(other, 'Theirs', [person]);
    const ours = await newTeam(workspace, 'Ours');
    const api = byOwner(workspace);
    for (const id of [theirs.id, other.defaultTeamId, 'tea_00000000000000000000000000', 'x']) {
      const answers = [
        await api.get(`${TEAMS}/${id}`),
        await api.patch(`${TEAMS}/${id}`, { name: 'Ours' }),
        await api.delete(`${TEAMS}/${id}`),
        await api.put(`${TEAMS}/${id}/members/${workspace.owner.id}`),
        await api.delete(`${TEAMS}/${id}/members/${person.id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    for (const userId of [person.id, 'usr_00000000000000000000000000', 'x']) {
      expect((await api.put(`${TEAMS}/${ours.id}/members/${userId}`)).status).toBe(404);
    }
    expect((await byOwner(other).get(`${TEAMS}/${theirs.id}`)).body).toEqual(theirs);
  });
});

describe('PATCH /v1/workspace/teams/{id}', () => {
  it('renames, also the default team', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const team = await newTeam(workspace, 'Design');
    const renamed = await api.patch(`${TEAMS}/${team.id}`, { name: 'Shape' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...team, name: 'Shape' }]);
    expect((await api.patch(`${TEAMS}/${team.id}`, { name: 'Shape' })).status).toBe(200);
    expect((await api.patch(`${TEAMS}/${team.id}`, {})).body.name).toBe('Shape');
    expect((await auditOf(workspace, team.id)).slice(1)).toEqual([
      expect.objectContaining({
        action: 'team.renamed',
        details: { name: 'Shape', previousName: 'Design' },
      }),
    ]);
    const everyone = await api.patch(`${TEAMS}/${workspace.defaultTeamId}`, { name: 'All of us' });
    expect([everyone.status, everyone.body.isDefault]).toEqual([200, true]);
  });

  it('refuses a name that is taken or none', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Design');
    const api = byOwner(workspace);
    const taken = await api.patch(`${TEAMS}/${team.id}`, { name: 'Everyone' });
    expect([taken.status, paths(taken)]).toEqual([409, ['name']]);
    for (const body of [{ name: '' }, { name: null }, { name: 'a\nb' }, { isDefault: true }]) {
      expect((await api.patch(`${TEAMS}/${team.id}`, body)).status).toBe(400);
    }
    expect((await api.get(`${TEAMS}/${team.id}`)).body).toEqual(team);
  });
});

describe('PUT and DELETE /v1/workspace/teams/{id}/members/{userId}', () => {
  it('put members of every role into a team and take them out', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const team = await newTeam(workspace, 'Design');
    for (const role of ['owner', 'admin', 'member', 'guest'] as const) {
      const { person } = await newMember(workspace, role);
      const path = `${TEAMS}/${team.id}/members/${person.id}`;
      const put = await api.put(path);
      expect([put.status, put.body]).toEqual([200, { ...team, memberIds: [person.id] }]);
      expect((await api.put(path)).body).toEqual(put.body);
      const taken = await api.delete(path);
      expect([taken.status, taken.text]).toEqual([204, '']);
      expect((await api.delete(path)).status).toBe(404);
    }
    const entries = (await auditOf(workspace, team.id)).slice(1).map(({ action }) => action);
    expect(entries).toEqual(Array(4).fill(['team.member.added', 'team.member.removed']).flat());
  });

  it('take no body', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Design');
    const path = `${TEAMS}/${team.id}/members/${workspace.owner.id}`;
    const answer = await byOwner(workspace).put(path, { role: 'lead' });
    expect([answer.status, paths(answer)]).toEqual([400, ['role']]);
  });

  it('leave the default team to the roles', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(workspace, 'member');
    const guest = await newMember(workspace, 'guest');
    const path = (userId: string): string => `${TEAMS}/${workspace.defaultTeamId}/members/${userId}`;
    const api = byOwner(workspace);
    expect((await api.put(path(person.id))).status).toBe(200);
    expect((await api.delete(path(person.id))).status).toBe(409);
    expect((await api.put(path(guest.person.id))).status).toBe(409);
    expect((await api.delete(path(guest.person.id))).status).toBe(404);
    expect((await api.get(`${TEAMS}/${workspace.defaultTeamId}`)).body.memberIds).toEqual(
      [workspace.owner.id, person.id].sort(),
    );
  });

  it('put nobody into a team who is being removed', async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await newWorkspace();
      const { person, id } = await newMember(workspace, 'member');
      const team = await newTeam(workspace, 'Design');
      const [put, removed] = await Promise.all([
        byOwner(workspace).put(`${TEAMS}/${team.id}/members/${person.id}`),
        byOwner(workspace).delete(`${MEMBERS}/${id}`),
      ]);
      expect([200, 404]).toContain(put.status);
      expect(removed.status).toBe(204);
      expect((await byOwner(workspace).get(`${TEAMS}/${team.id}`)).body.memberIds).toEqual([]);
    }
  });
});

describe('a script that is shared with teams', () => {
  /** A published script that is there for one team. */
  async function shared(workspace: TestWorkspace, teamIds: string[]): Promise<string> {
    const { slug } = await python(byToken(workspace.owner, workspace), 'print(1)');
    const answer = await byToken(workspace.owner, workspace).patch(`/v1/scripts/${slug}`, {
      access: 'teams',
      teamIds,
    });
    expect(answer.status, answer.text).toBe(200);
    return `/v1/scripts/${slug}`;
  }

  it('is there for who is in the team, as long as they are', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Design');
    const script = await shared(workspace, [team.id]);
    for (const role of ['member', 'guest'] as const) {
      const { person } = await newMember(workspace, role);
      const path = `${TEAMS}/${team.id}/members/${person.id}`;
      const seen = async (): Promise<number[]> => {
        const ways = [inApp(person, workspace), byToken(person, workspace)];
        const statuses = await Promise.all(ways.map(async (api) => (await api.get(script)).status));
        const lists = await Promise.all(
          ways.map(async (api) => (await api.get('/v1/scripts')).body.items.length),
        );
        return [...statuses, ...lists];
      };
      expect(await seen()).toEqual([404, 404, 0, 0]);
      await byOwner(workspace).put(path);
      expect(await seen()).toEqual([200, 200, 1, 1]);
      const started = await byToken(person, workspace).post(`${script}/runs`, {});
      expect(started.status, started.text).toBe(200);
      await byOwner(workspace).delete(path);
      expect(await seen()).toEqual([404, 404, 0, 0]);
      expect((await byToken(person, workspace).post(`${script}/runs`, {})).status).toBe(404);
    }
    const admin = await workspace.person('admin');
    expect((await inApp(admin, workspace).get(script)).status).toBe(200);
  });

  it('is there for who accepted an invitation to the team', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Clients');
    const script = await shared(workspace, [team.id]);
    const { body } = await byOwner(workspace).post(INVITATIONS, {
      email: `${newSlug()}-${workspace.slug}@example.com`,
      role: 'guest',
      teamIds: [team.id],
    });
    const accepted = await client().post(`/v1/invitations/${body.link.split('/').at(-1)}/accept`, {
      name: 'Client',
      password: 'analytical engine',
    });
    const cookie = accepted.headers.get('set-cookie')!.split(';')[0]!;
    const guest = client({ cookie, workspace: workspace.slug });
    expect((await guest.get(script)).status).toBe(200);
    await byOwner(workspace).delete(`${TEAMS}/${team.id}`);
    expect((await guest.get(script)).status).toBe(404);
  });

  it('is there for owners and admins alone when its last team is deleted', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(workspace, 'member');
    const [one, two] = [await newTeam(workspace, 'One', [person]), await newTeam(workspace, 'Two', [person])];
    const script = await shared(workspace, [one.id, two.id]);
    const api = byOwner(workspace);
    const gate = async (): Promise<Json> => {
      const { access, teamIds } = (await api.get(script)).body;
      return { access, teamIds };
    };
    expect((await api.delete(`${TEAMS}/${one.id}`)).status).toBe(204);
    expect(await gate()).toEqual({ access: 'teams', teamIds: [two.id] });
    expect((await inApp(person, workspace).get(script)).status).toBe(200);
    expect((await api.delete(`${TEAMS}/${two.id}`)).status).toBe(204);
    expect(await gate()).toEqual({ access: 'teams', teamIds: [] });
    expect((await inApp(person, workspace).get(script)).status).toBe(404);
    expect((await api.get(`${TEAMS}/${two.id}`)).status).toBe(404);
    expect((await auditOf(workspace, two.id)).at(-1)).toMatchObject({
      action: 'team.deleted',
      details: { name: 'Two' },
    });
    const opened = await api.patch(script, { access: 'workspace' });
    expect(opened.status, opened.text).toBe(200);
    expect((await inApp(person, workspace).get(script)).status).toBe(200);
  });

  it('names no team that is deleted while it is being named', async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await newWorkspace();
      const [kept, deleted] = [await newTeam(workspace, 'Kept'), await newTeam(workspace, 'Deleted')];
      const script = await shared(workspace, [kept.id]);
      const [named, gone] = await Promise.all([
        byToken(workspace.owner, workspace).patch(script, { teamIds: [kept.id, deleted.id] }),
        byOwner(workspace).delete(`${TEAMS}/${deleted.id}`),
      ]);
      expect([200, 400]).toContain(named.status);
      expect(gone.status).toBe(204);
      expect((await byOwner(workspace).get(script)).body.teamIds).toEqual([kept.id]);
    }
  });
});

describe('DELETE /v1/workspace/teams/{id}', () => {
  it('leaves the default team, and what is gone', async () => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).delete(`${TEAMS}/${workspace.defaultTeamId}`);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    const team = await newTeam(workspace, 'Design');
    const answers = await Promise.all([1, 2].map(() => byOwner(workspace).delete(`${TEAMS}/${team.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await byOwner(workspace).post(TEAMS, { name: 'Design' })).status).toBe(201);
  });
});
