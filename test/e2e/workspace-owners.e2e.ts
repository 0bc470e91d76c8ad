import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { AmbientDataSource } from '../../src/core/database/ambient-data-source.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { Database } from '../../src/core/database/database.js';
import { Threads } from '../../src/core/threads/threads.js';
import { WorkspaceOwners } from '../../src/core/work/workspace-owners.js';
import { RunOperationsRepository } from '../../src/runs/operations/run-operations.repository.js';
import { RunOperation } from '../../src/runs/operations/run-operation.entity.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, newWorkspace } from '../support/gatehouse.js';

let source: AmbientDataSource;
let owners: WorkspaceOwners;

beforeAll(async () => {
  const options = await dataSourceOptions(new ConnectionOptions(inject('databaseUrl'), 2));
  source = await new AmbientDataSource(options).initialize();
  owners = new WorkspaceOwners(new Database(source), new Threads());
});

afterAll(() => source.destroy());

async function withSecond(): Promise<{ ownerId: string; ids: [string, string] }> {
  const { id, slug, owner } = await newWorkspace();
  const body = { name: 'Second', slug: `${slug}-2` };
  const second = await client({ cookie: owner.cookie }).post('/v1/workspaces', body);
  expect(second.status, second.text).toBe(201);
  return { ownerId: owner.id, ids: [id, second.body.id as string] };
}

it('workspaces count for whom they belong to, and anything else for itself', async () => {
  const { ownerId, ids } = await withSecond();
  const { owner: stranger, id: other } = await newWorkspace();
  const found: string[] = [];
  for (const each of [...ids, ids[0], other, 'pat_none']) found.push(await owners.of(each));
  expect(found).toEqual([ownerId, ownerId, ownerId, stranger.id, 'pat_none']);
});

it('workspaces count for themselves while the database cannot be asked', async () => {
  const database = new Database(source);
  const { id, owner } = await newWorkspace();
  const fresh = new WorkspaceOwners(database, new Threads());
  const failed = database.transaction(async () => {
    await database.query('SELECT 1 / 0').catch(() => undefined);
    return fresh.of(id);
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await fresh.of(id)).toBe(owner.id);
});

it('operations on runs take turns by whom their workspaces count for', async () => {
  const { ids } = await withSecond();
  const { id: other } = await newWorkspace();
  const database = new Database(source);
  const operations = new RunOperationsRepository(source.getRepository(RunOperation), database);
  const undone = database.transaction(async () => {
    for (const [place, workspaceId] of [...ids, other].entries()) {
      await source.getRepository(RunOperation).insert({
        ...{
          id: newId('operation'),
          workspaceId,
          kind: 'cancel',
          filter: {},
          runIds: [],
          matched: 1,
          more: false,
          credentialId: 'pat_none',
          credentialName: '',
          credentialStrategy: 'none',
        },
        dueAt: new Date(Date.UTC(2000, 0, 1 + place)),
      });
    }
    const claimed = [await operations.claim(30), await operations.claim(30)];
    expect(claimed.map((operation) => operation!.workspaceId)).toEqual([ids[0], other]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
});
