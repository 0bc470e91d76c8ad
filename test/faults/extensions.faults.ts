import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ApprovalAction, Database, DefinesEventTypes, Events, Extension, Loop } from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';

const REQUESTS = '/v1/workspace/approval-requests';
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

@DefinesEventTypes()
class FaultyEventTypes {
  eventTypes = [
    {
      type: 'faulty.happened',
      description: 'It happened.',
      environmentScoped: false,
      schema: SCHEMA,
      example: { n: 1 },
    },
  ];
}

@ApprovalAction()
class FaultyAction {
  readonly id = 'faulty.act';
  readonly title = 'Act';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly inputSchema = {
    type: 'object',
    properties: { how: { type: 'string' } },
    required: ['how'],
    additionalProperties: false,
  };

  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  summarise({ how }: { how: string }): string {
    if (how === 'throws at once') throw new TypeError('of the extension');
    return `Act: ${how}.`;
  }

  async perform({ how }: { how: string }, approver: { workspace: { id: string } }): Promise<object> {
    const told = { workspaceId: approver.workspace.id, environmentId: null, type: 'faulty.happened' };
    await this.events.tell({ ...told, data: { n: 1 } });
    if (how === 'throws') throw new TypeError('of the extension, with a secret');
    if (how === 'tells nonsense') await this.events.tell({ ...told, data: { n: 'one' } });
    if (how === 'forges') await this.events.tell({ ...told, type: 'run.succeeded', data: {} });
    if (how === 'hangs') await new Promise(() => undefined);
    await this.database.query('SELECT 1');
    return { result: {} };
  }
}

@Injectable()
class FaultyLoop {
  passes = 0;

  @Loop({ every: 60_000 })
  async pass(): Promise<void> {
    this.passes += 1;
    throw new Error('The loop of the extension fails.');
  }
}

@Extension({ name: 'faulty' })
@Module({ providers: [FaultyAction, FaultyEventTypes, FaultyLoop] })
class FaultyExtension {}

/** The failures of an extension are its own: nothing else waits for it, and what it began is undone. */
describe('an extension that fails', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [FaultyExtension] });
  });

  afterAll(() => gatehouse?.stop());

  const ask = (how: string) =>
    gatehouse.api
      .as(gatehouse.workspace.owner.token)
      .post(REQUESTS, { action: 'faulty.act', input: { how }, reason: 'A test.' });
  const approve = (id: string) =>
    gatehouse.api.as(gatehouse.workspace.owner).post(`${REQUESTS}/${id}/approve`);
  const status = async (id: string) =>
    (await gatehouse.api.as(gatehouse.workspace.owner).get(`${REQUESTS}/${id}`)).body.status;
  const happened = async () =>
    (await gatehouse.events()).filter(({ type }) => type === 'faulty.happened').length;

  it('files nothing where its summary throws, and says nothing of why', async () => {
    const { status: code, text } = await ask('throws at once');
    expect(code).toBe(500);
    expect(text).not.toContain('of the extension');
  });

  it.each(['throws', 'tells nonsense', 'forges'])(
    'leaves the request pending where its action %s',
    async (how) => {
      const { body } = await ask(how);
      const before = await happened();
      const { status: code, text } = await approve(body.id);
      expect(code).toBe(500);
      expect(text).not.toContain('secret');
      expect(await status(body.id)).toBe('pending');
      expect(await happened()).toBe(before);
    },
  );

  it('holds up nobody else where its action hangs, and ends in time', async () => {
    const { body: hanging } = await ask('hangs');
    const { body: sound } = await ask('works');
    const before = await happened();
    const late = approve(hanging.id);
    expect((await approve(sound.id)).status).toBe(200);
    expect(await happened()).toBe(before + 1);
    expect((await gatehouse.api.get('/health/ready')).status).toBe(200);
    const { status: code, body } = await late;
    expect(code).toBe(503);
    expect(body.error.message).toBe('The action faulty.act did not end within 15 s.');
    expect(await status(hanging.id)).toBe('pending');
    expect(await happened()).toBe(before + 1);
  });

  it('has its loop tried again, and no other loop less', async () => {
    await gatehouse.passNow('FaultyLoop.pass');
    expect(gatehouse.get(FaultyLoop).passes).toBeGreaterThan(1);
    await gatehouse.passNow('EventDispatcher.dispatch');
  });
});
