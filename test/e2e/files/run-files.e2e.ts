import { AsyncResource } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { WorkspaceCaller } from '../../../src/core/access/caller.js';
import { Settings } from '../../../src/core/config/settings.js';
import { newId } from '../../../src/core/crypto/ids.js';
import { ConnectionOptions } from '../../../src/core/database/connection-options.js';
import { Database } from '../../../src/core/database/database.js';
import { BlobStore } from '../../../src/core/storage/blob-store.js';
import { FileBlobsService } from '../../../src/files/file-blobs.service.js';
import { FilePruner } from '../../../src/files/file-pruner.js';
import { FilesRepository } from '../../../src/files/files.repository.js';
import { type NewOutputFile, RunFilesService } from '../../../src/files/run-files.service.js';
import { createApp } from '../../../src/application.js';
import { newDatabase } from '../../support/gatehouse.js';

let app: NestExpressApplication;
let directory: string;
let sql: pg.Pool;
let database: Database;
let runFiles: RunFilesService;
let pruner: FilePruner;
let store: BlobStore;
let caller: WorkspaceCaller;

/** The service in this process, on a database and a directory of its own: these rooms have no routes. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-run-files-'));
  const url = await newDatabase();
  const settings = new Settings({ GATEHOUSE_DATA: directory, GATEHOUSE_ROLE: 'api', DATABASE_URL: url });
  app = await createApp(settings, new ConnectionOptions(url, 8));
  sql = new pg.Pool({ connectionString: url, max: 4 });
  database = app.get(Database);
  runFiles = app.get(RunFilesService, { strict: false });
  pruner = app.get(FilePruner, { strict: false });
  store = app.get(BlobStore);
  caller = await newCaller();
});

afterAll(async () => {
  await sql.end();
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function newCaller(): Promise<WorkspaceCaller> {
  const [workspace, environment, user] = [newId('workspace'), newId('environment'), newId('user')];
  await sql.query(`INSERT INTO users (id, email, name) VALUES ($1, $1, 'Olive')`, [user]);
  await sql.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, $1, 'Acme')`, [workspace]);
  await sql.query(
    `INSERT INTO environments (id, workspace_id, name, approval_policy, agents_allowed, is_default)
     VALUES ($1, $2, 'production', 'none', true, true)`,
    [environment, workspace],
  );
  return {
    kind: 'personal_token',
    credentialId: newId('personalToken'),
    credentialName: 'laptop',
    person: { id: user, name: 'Olive', email: user },
    scopes: null,
    scriptChoice: null,
    confirmed: true,
    workspace: { id: workspace, slug: workspace, name: 'Acme' },
    role: 'owner',
    environment: {
      id: environment,
      name: 'production',
      approvalPolicy: 'none',
      agentsAllowed: true,
      isDefault: true,
    },
    stepUpMinutes: null,
    bound: false,
  };
}

async function upload(name = 'table.csv', bytes = 'a,b\n'): Promise<string> {
  const id = newId('file');
  const blob = await app
    .get(FileBlobsService, { strict: false })
    .write(id, Readable.from([Buffer.from(bytes)]), 1000);
  await app.get(FilesRepository, { strict: false }).insertUpload({
    id,
    workspaceId: caller.workspace.id,
    environmentId: caller.environment.id,
    name,
    type: 'text/csv',
    size: blob.size,
    sha256: blob.sha256,
    blobKey: blob.key,
    createdByUserId: caller.person!.id,
    credentialId: caller.credentialId,
    credentialName: null,
  });
  return id;
}

async function newRun(): Promise<string> {
  const id = newId('run');
  await database.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs,
       started_by_user_id, by_agent, interface, test)
     VALUES ($1, $2, $3, 'scr', 'sums', 'ver', 1, 'running', 'queued', '{}', $4, false, 'api', false)`,
    [id, caller.workspace.id, caller.environment.id, caller.person!.id],
  );
  return id;
}

const claim = (inputs: [field: string, fileId: string][], by = caller) =>
  database.transaction(async () => {
    const runId = await newRun();
    await runFiles.claimInputs(
      runId,
      inputs.map(([field, fileId]) => ({ field, fileId })),
      by,
    );
    return { runId, files: await runFiles.inputsOf(runId) };
  });

const keyOf = async (id: string): Promise<string> =>
  (await sql.query('SELECT blob_key AS key FROM files WHERE id = $1', [id])).rows[0].key;

const isStored = (key: string): Promise<boolean> =>
  store.size(key).then(
    () => true,
    () => false,
  );

const daysLeft = (expiresAt: string): number => (Date.parse(expiresAt) - Date.now()) / 86_400_000;

describe('claimInputs', () => {
  it('gives an upload to its first run, and a record of its own to any later one', async () => {
    const id = await upload();
    const first = await claim([['table', id]]);
    const second = await claim([['data', id]]);
    const key = await keyOf(id);
    expect(first.files).toEqual([{ id, field: 'table', name: 'table.csv', blobKey: key, size: 4 }]);
    expect(second.files).toEqual([
      { id: expect.not.stringMatching(id), field: 'data', name: 'table.csv', blobKey: key, size: 4 },
    ]);
    const [shown, copy] = [await runFiles.filesOf([first.runId]), await runFiles.filesOf([second.runId])];
    expect(shown).toMatchObject([{ id, runId: first.runId, field: 'table', direction: 'in' }]);
    expect(copy).toMatchObject([
      { id: second.files[0]!.id, runId: second.runId, field: 'data', type: 'text/csv' },
    ]);
    for (const { expiresAt } of [...shown, ...copy]) expect(daysLeft(expiresAt)).toBeCloseTo(30, 1);
  });

  it('keeps the order of the inputs, also of a file that is given twice', async () => {
    const [a, b, c] = [await upload('a'), await upload('b'), await upload('c')];
    await claim([['x', b]]);
    const { files } = await claim([
      ['list', c],
      ['list', b],
      ['list', a],
      ['list', c],
      ['one', a],
    ]);
    expect(files.map(({ field, name }) => `${field}:${name}`)).toEqual([
      'list:c',
      'list:b',
      'list:a',
      'list:c',
      'one:a',
    ]);
    expect(new Set(files.map(({ id }) => id)).size).toBe(5);
    expect(files[0]!.id).toBe(c);
    expect(files[2]!.id).toBe(a);
  });

  it('takes an output of another run, by the last part of its path', async () => {
    const run = await newRun();
    const output = await runFiles.storeOutput({
      ...placeOf(run),
      path: 'charts/a.svg',
      size: 3,
      stream: bytes('abc'),
    });
    await runFiles.insertOutputs([output]);
    const { files } = await claim([['chart', output.id]]);
    expect(files).toMatchObject([{ name: 'a.svg', blobKey: output.blobKey, field: 'chart' }]);
    expect(await runFiles.filesOf([run])).toMatchObject([{ name: 'charts/a.svg', direction: 'out' }]);
  });

  it('names every input whose file is not there for the caller', async () => {
    const [good, expired] = [await upload(), await upload()];
    await sql.query(`UPDATE files SET expires_at = now() WHERE id = $1`, [expired]);
    const refused = claim([
      ['good', good],
      ['old', expired],
      ['unknown', newId('file')],
      ['nonsense', '../x'],
    ]);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'inputs.old' }, { path: 'inputs.unknown' }, { path: 'inputs.nonsense' }],
    });
    expect((await sql.query('SELECT run_id FROM files WHERE id = $1', [good])).rows).toEqual([
      { run_id: null },
    ]);
  });

  it.each([
    ['of another workspace', async () => newCaller()],
    ['in another environment', async () => ({ ...caller, environment: (await newCaller()).environment })],
    [
      'of another person',
      async () => ({ ...caller, role: 'member' as const, person: (await newCaller()).person }),
    ],
    [
      'of another person, as a guest',
      async () => ({ ...caller, role: 'guest' as const, person: (await newCaller()).person }),
    ],
  ])('gives nothing to a caller %s', async (_, other) => {
    const id = await upload();
    const by = await other();
    const inOwn = { ...by, environment: by.environment };
    await expect(claim([['table', id]], inOwn)).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'inputs.table' }],
    });
  });

  it('gives one upload to many runs at once: one gets it, the others a copy', async () => {
    const id = await upload();
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim([['table', id]])));
    const ids = claims.map(({ files }) => files[0]!.id);
    expect(new Set(ids).size).toBe(6);
    expect(ids.filter((each) => each === id)).toHaveLength(1);
  });
});

describe('Outputs', () => {
  it('are recorded with the run, by their paths, and in order', async () => {
    const run = await newRun();
    const stored: NewOutputFile[] = [];
    for (const path of ['b/summary.json', 'a\nb.parquet', 'README']) {
      stored.push(await runFiles.storeOutput({ ...placeOf(run), path, size: 5, stream: bytes('hello') }));
    }
    await database.transaction(() => runFiles.insertOutputs(stored));
    const files = await runFiles.filesOf([run]);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['README', 'application/octet-stream'],
      ['a_b.parquet', 'application/vnd.apache.parquet'],
      ['b/summary.json', 'application/json'],
    ]);
    expect(files[0]).toMatchObject({ direction: 'out', runId: run, field: null, size: 5 });
    expect(daysLeft(files[0]!.expiresAt)).toBeCloseTo(30, 1);
  });

  it('are refused when they are more bytes than was said, and leave nothing', async () => {
    const run = await newRun();
    const before = (await sql.query('SELECT key FROM file_blobs')).rowCount;
    const output = { ...placeOf(run), path: 'x', size: 4, stream: bytes('hello') };
    await expect(runFiles.storeOutput(output)).rejects.toThrow('4 bytes');
    expect((await sql.query('SELECT key FROM file_blobs')).rowCount).toBe(before);
  });

  it('go when they are discarded', async () => {
    const output = await runFiles.storeOutput({
      ...placeOf(await newRun()),
      path: 'x',
      size: 5,
      stream: bytes('hello'),
    });
    expect(await isStored(output.blobKey)).toBe(true);
    await runFiles.discardOutputs([output]);
    expect(await isStored(output.blobKey)).toBe(false);
    await expect(runFiles.insertOutputs([output])).rejects.toThrow('foreign key');
  });
});

describe('The pruner', () => {
  it('deletes expired records, and bytes when no record refers to them', async () => {
    const [alone, shared, kept] = [await upload(), await upload(), await upload()];
    const keys = [await keyOf(alone), await keyOf(shared), await keyOf(kept)] as const;
    await claim([['table', shared]]);
    const { files } = await claim([['table', shared]]);
    await sql.query(`UPDATE files SET expires_at = now() - interval '1 second' WHERE id = ANY($1)`, [
      [alone, shared],
    ]);
    await pruner.prune();
    const { rows } = await sql.query('SELECT id FROM files WHERE id = ANY($1) ORDER BY id', [
      [alone, shared, kept, files[0]!.id],
    ]);
    expect(rows.map(({ id }) => id)).toEqual([kept, files[0]!.id].sort());
    expect(await Promise.all(keys.map(isStored))).toEqual([false, true, true]);
    await sql.query(`UPDATE files SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      files[0]!.id,
    ]);
    await pruner.prune();
    expect(await isStored(keys[1])).toBe(false);
    expect((await sql.query('SELECT FROM file_blobs WHERE key = ANY($1)', [keys])).rowCount).toBe(1);
  });

  it('finds bytes whose run never finished, a day later and not before', async () => {
    const output = await runFiles.storeOutput({
      ...placeOf(await newRun()),
      path: 'x',
      size: 5,
      stream: bytes('hello'),
    });
    await pruner.prune();
    expect(await isStored(output.blobKey)).toBe(true);
    await sql.query(`UPDATE file_blobs SET check_at = check_at - interval '1 day' WHERE key = $1`, [
      output.blobKey,
    ]);
    await pruner.prune();
    expect(await isStored(output.blobKey)).toBe(false);
  });

  it('looks again later at bytes that are still used, and finds those of runs that were deleted', async () => {
    const id = await upload();
    const key = await keyOf(id);
    const { runId } = await claim([['table', id]]);
    const makeDue = () => sql.query(`UPDATE file_blobs SET check_at = now() WHERE key = $1`, [key]);
    await makeDue();
    await pruner.prune();
    const { rows } = await sql.query(
      'SELECT b.check_at = f.expires_at AS same FROM file_blobs b JOIN files f ON f.blob_key = b.key WHERE b.key = $1',
      [key],
    );
    expect(rows).toEqual([{ same: true }]);
    await sql.query('DELETE FROM runs WHERE id = $1', [runId]);
    await makeDue();
    await pruner.prune();
    expect(await isStored(key)).toBe(false);
  });

  it('waits for a run that is just taking the file', async () => {
    const id = await upload();
    const key = await keyOf(id);
    await claim([['table', id]]);
    await database.transaction(async () => {
      await runFiles.claimInputs(await newRun(), [{ field: 'table', fileId: id }], caller);
      await sql.query(`UPDATE file_blobs SET check_at = now() WHERE key = $1`, [key]);
      await sql.query(`UPDATE files SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
      await outside.runInAsyncScope(() => pruner.prune());
    });
    await pruner.prune();
    expect(await isStored(key)).toBe(true);
    expect((await sql.query('SELECT FROM files WHERE blob_key = $1', [key])).rowCount).toBe(1);
  });

  it('goes through more than one batch', async () => {
    const id = await upload();
    await sql.query(
      `INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, expires_at)
       SELECT 'fil_' || lpad(n::text, 26, '0'), workspace_id, environment_id, 'in', name, type, size, sha256, blob_key,
         now() - interval '1 minute' FROM files, generate_series(1, 1200) n WHERE id = $1`,
      [id],
    );
    while (await pruner.prune());
    expect((await sql.query(`SELECT FROM files WHERE id LIKE 'fil_0000%'`)).rowCount).toBe(0);
    expect(await isStored(await keyOf(id))).toBe(true);
  });
});

const bytes = (text: string): Readable => Readable.from([Buffer.from(text)]);

const placeOf = (runId: string) => ({
  workspaceId: caller.workspace.id,
  environmentId: caller.environment.id,
  runId,
});

/** Made outside of any transaction, and takes what it runs there. */
const outside = new AsyncResource('outside');
