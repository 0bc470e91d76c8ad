import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  ForbiddenError,
  type Gatehouse,
  type HeldRun,
  InvalidRequestError,
  NotFoundError,
  type RunEvent,
  UnauthorizedError,
} from '@gatehouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug, python } from '../support/scripts.js';
import { allDispatched } from '../support/triggers.js';
import { gatehouseOf } from './support/workspace.js';

let workspace: TestWorkspace;
let api: Client;
let owner: Client;
let gatehouse: Gatehouse;
let directory: string;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
  gatehouse = gatehouseOf(workspace);
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-client-'));
});

afterAll(() => rm(directory, { recursive: true }));

const STEPS = `import sys, time
for step in range(3):
    print(f"step {step}", file=sys.stderr, flush=True)
    print(f"::progress {step / 2} at {step}", file=sys.stderr, flush=True)
    time.sleep(0.2)
print('{"done": true}')`;

describe('runs', () => {
  it('are waited for: a short one by the service', async () => {
    const { slug } = await python(api, 'import sys\nprint(sys.argv[1])', {
      command: 'python3 main.py {city}',
    });
    const run = await gatehouse.runs.start(slug, { city: 'Köln' });
    expect(run).toMatchObject({ status: 'succeeded', output: 'Köln', interface: 'api', approval: null });
    const failed = await gatehouse.runs.start(slug, { city: 'x' }, { via: 'cli' });
    expect(failed.interface).toBe('cli');
    await expect(gatehouse.runs.start(slug)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      code: 'invalid_request',
      details: [{ path: 'inputs.city', message: expect.any(String) }],
      requestId: expect.any(String),
      docs: expect.stringContaining('#invalid_request'),
    });
  });

  it('are waited for: a long one by its stream, with what happens in it', async () => {
    const { slug } = await python(api, STEPS, { timeout: 60 });
    const events: RunEvent[] = [];
    const run = await gatehouse.runs.start(slug, {}, { onEvent: (event) => events.push(event) });
    expect(run).toMatchObject({ status: 'succeeded', output: { done: true }, progress: 1 });
    const lines = events.filter(({ type }) => type === 'log');
    expect(lines).toEqual([0, 1, 2].map((number) => ({ type: 'log', line: `step ${number}`, number })));
    expect(events).toContainEqual({ type: 'progress', progress: 1, message: 'at 2' });
    expect(events.at(-1)).toMatchObject({ type: 'end', run: { id: run.id, status: 'succeeded' } });
    const rest: RunEvent[] = [];
    for await (const event of gatehouse.runs.follow(run.id, { after: 2 })) rest.push(event);
    expect(rest.filter(({ type }) => type === 'log')).toEqual([{ type: 'log', line: 'step 2', number: 2 }]);
    expect(await gatehouse.runs.log(run.id)).toEqual({ lines: ['step 0', 'step 1', 'step 2'], next: 3 });
    expect(await (await gatehouse.runs.wholeLog(run.id)).text()).toBe('step 0\nstep 1\nstep 2\n');
  });

  it('can be left alone, and cancelled', async () => {
    const { slug } = await python(api, 'import time\ntime.sleep(50)', { timeout: 60 });
    const run = await gatehouse.runs.start(slug, {}, { wait: 'none' });
    expect(run.status).toBe('running');
    await gatehouse.runs.cancel(run.id);
    expect(await gatehouse.runs.wait(run.id)).toMatchObject({ status: 'cancelled' });
  });

  it('are held for a person, and waited for beyond that', async () => {
    const { slug } = await python(api, 'print("yes")');
    await api.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' });
    const held = await gatehouse.runs.start(slug);
    expect(held).toMatchObject({
      status: 'awaiting_approval',
      approval: { approveUrl: expect.stringContaining('/approvals/') },
    });
    const seen: HeldRun[] = [];
    const ended = gatehouse.runs.start(slug, {}, { wait: 'end', onHeld: (run) => seen.push(run) });
    await expect.poll(() => seen.length).toBe(1);
    const { id } = seen[0]!.approval!;
    const decided = await owner.post(`/v1/workspace/approval-requests/${id}/approve`);
    expect(decided.status, decided.text).toBe(200);
    expect(await ended).toMatchObject({ status: 'succeeded', output: 'yes', approval: { id } });
  });

  it('are followed no longer than the signal allows', async () => {
    const { slug } = await python(api, 'import time\ntime.sleep(50)', { timeout: 60 });
    const run = await gatehouse.runs.start(slug, {}, { wait: 'none' });
    const signal = AbortSignal.timeout(300);
    await expect(gatehouse.runs.wait(run.id, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    await gatehouse.runs.cancel(run.id);
  });

  it('of one key happen once', async () => {
    const { slug } = await python(api, 'print("once")');
    const idempotencyKey = randomBytes(8).toString('hex');
    const first = await gatehouse.runs.start(slug, {}, { idempotencyKey });
    const second = await gatehouse.runs.start(slug, {}, { idempotencyKey });
    expect(second.id).toBe(first.id);
    expect((await gatehouse.runs.list({ script: slug }).all()).map(({ id }) => id)).toEqual([first.id]);
  });
});

describe('lists', () => {
  it('are a page, or every item', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `list-${name}`);
    for (const name of names) await gatehouse.environments.create({ name });
    const page = await gatehouse.environments.list({ limit: 2 });
    expect(page.items).toHaveLength(2);
    expect(page.nextCursor).toEqual(expect.any(String));
    const every: string[] = [];
    for await (const { name } of gatehouse.environments.list({ limit: 2 })) every.push(name);
    expect(every).toEqual([...names.toReversed(), 'production']);
    const rest = await gatehouse.environments.list({ cursor: page.nextCursor! }).all();
    expect(rest).toHaveLength(4);
  });
});

describe('files', () => {
  const bytes = randomBytes(300_000);
  const path = (): string => join(directory, 'data.csv');

  it.each([
    ['a path', () => path()],
    ['a file URL', () => new URL(`file://${path()}`)],
    ['a Blob', () => new File([bytes], 'data.csv', { type: 'text/csv' })],
    ['bytes', () => new Uint8Array(bytes)],
    ['a stream', () => new Blob([bytes]).stream()],
    [
      'chunks',
      async function* () {
        yield bytes.subarray(0, 100);
        yield bytes.subarray(100);
      },
    ],
  ])('are uploaded from %s, and read again', async (_, source) => {
    await writeFile(path(), bytes);
    const file = await gatehouse.files.upload(source(), { name: 'data.csv' });
    expect(file).toMatchObject({ name: 'data.csv', type: 'text/csv', size: bytes.length });
    const content = await gatehouse.files.content(file.id);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    const target = join(directory, 'copy');
    await gatehouse.files.save(file.id, target);
    expect((await readFile(target)).equals(bytes)).toBe(true);
    await gatehouse.files.delete(file.id);
    await expect(gatehouse.files.get(file.id)).rejects.toBeInstanceOf(NotFoundError);
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('are saved in place of a file, and into all else', async () => {
    const { id } = await gatehouse.files.upload(new Uint8Array(bytes), { name: 'data.csv' });
    const [kept, link, pipe] = [join(directory, 'kept'), join(directory, 'link'), join(directory, 'pipe')];
    await writeFile(kept, 'before');
    await chmod(kept, 0o640);
    await symlink('kept', link);
    for (const target of [kept, link]) {
      await gatehouse.files.save(id, target);
      expect((await readFile(kept)).equals(bytes)).toBe(true);
    }
    expect([(await stat(kept)).mode & 0o777, (await lstat(link)).isSymbolicLink()]).toEqual([0o640, true]);
    await promisify(execFile)('mkfifo', [pipe]);
    const read = promisify(execFile)('cat', [pipe], { encoding: 'buffer', maxBuffer: 2 ** 26 });
    await gatehouse.files.save(id, pipe);
    expect((await read).stdout.equals(bytes)).toBe(true);
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    await symlink('/dev/null', join(directory, 'null'));
    await gatehouse.files.save(id, join(directory, 'null'));
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('that are not there are not uploaded', async () => {
    await expect(gatehouse.files.upload(join(directory, 'none'))).rejects.toThrow('ENOENT');
  });
});

describe('scripts', () => {
  it('are made, published and run', async () => {
    const slug = newSlug();
    await gatehouse.scripts.create({ slug, name: 'Made here' });
    const archive = Buffer.from(await archiveOf({ 'main.py': 'print(6 * 7)' }), 'base64');
    const version = await gatehouse.versions.create(slug, { archive: new Uint8Array(archive) });
    expect(version.number).toBe(1);
    const test = await gatehouse.runs.test(slug, 1);
    expect(test).toMatchObject({ output: 42, test: true });
    expect(await gatehouse.scripts.publish(slug, 1)).toMatchObject({ publishedVersion: 1 });
    const kept = await gatehouse.versions.archive(slug, 1);
    expect(Buffer.from(await kept.arrayBuffer()).equals(archive)).toBe(true);
    expect(await gatehouse.scripts.archive(slug)).toBeUndefined();
  });
});

describe('what is refused', () => {
  it('is an error of its code', async () => {
    await expect(gatehouse.scripts.get('no-such-script')).rejects.toBeInstanceOf(NotFoundError);
    await expect(gatehouseOf(workspace, { token: 'svc_pat_x' }).workspace.get()).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    const elsewhere = gatehouse.with({ environment: 'nowhere' });
    await expect(elsewhere.secrets.list()).rejects.toBeInstanceOf(InvalidRequestError);
    const token = await workspace.owner.tokenWith({ scopes: ['runs:read'] });
    await expect(gatehouse.with({ token }).scripts.list()).rejects.toBeInstanceOf(ForbiddenError);
  });

  it('is a stream too', async () => {
    const follow = gatehouse.runs.follow('run_00000000000000000000000000');
    await expect(follow.next()).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('what happens in the workspace', () => {
  it('is told as it happens, from an event on', async () => {
    const stop = new AbortController();
    const { slug } = await python(api, 'print(1)');
    await allDispatched(workspace);
    const told: string[] = [];
    const reading = (async () => {
      for await (const event of gatehouse.events.follow({ signal: stop.signal })) {
        told.push(event.type);
        if (event.type === 'run.succeeded') return event;
      }
      return undefined;
    })();
    await expect
      .poll(async () => {
        await gatehouse.runs.start(slug);
        return told.includes('run.succeeded');
      })
      .toBe(true);
    expect(await reading).toMatchObject({ type: 'run.succeeded', data: { script: { slug } } });
    stop.abort();
    expect((await gatehouse.eventTypes.list()).map(({ type }) => type)).toContain('run.succeeded');
  });
});

describe('approvals', () => {
  it('are asked for, waited for and redeemed', async () => {
    const request = await gatehouse.approvalRequests.create({
      action: 'api_key.create',
      input: { name: 'For the nightly job' },
      reason: 'It runs at night.',
    });
    const decided = gatehouse.approvalRequests.wait(request.id);
    await owner.post(`/v1/workspace/approval-requests/${request.id}/approve`);
    expect(await decided).toMatchObject({ status: 'approved' });
    const { secret, envVar } = await gatehouse.approvalRequests.redeem(request.id);
    expect([secret!.slice(0, 7), envVar]).toEqual(['svc_sk_', 'GATEHOUSE_API_KEY']);
    expect(await gatehouse.with({ token: secret!, workspace: undefined }).workspace.get()).toMatchObject({
      id: workspace.id,
    });
  });
});
