import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, finished, python, run, runUntil } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;

/** Ends badly until its second attempt. */
const SECOND = `
import os, sys
attempt = os.environ["GATEHOUSE_ATTEMPT"]
print("attempt " + attempt, file=sys.stderr)
if attempt == "1": sys.exit(75)
print('"well"')
`;
const NEVER = 'import sys\nprint("no", file=sys.stderr)\nsys.exit(3)\n';

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

async function eventsOf(id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await database().query(
    // Of a failure, another one follows about its error.
    `SELECT type, data FROM events WHERE data->>'runId' = $1 AND type LIKE 'run.%' ORDER BY id`,
    [id],
  );
  return rows as { type: string; data: Record<string, unknown> }[];
}

describe('a run that does not end well', () => {
  it('is tried again where its version says so, as one run with an attempt each', async () => {
    const script = await python(owner, SECOND, { retry: { attempts: 3, delay: 0, on: ['exit:75'] } });
    const { status, body } = await run(owner, script);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'succeeded',
        output: 'well',
        attempt: 2,
        nextAttemptAt: null,
        error: null,
        attempts: [
          { attempt: 1, error: expect.stringContaining('exit code 75') as string, logLines: 1 },
          { attempt: 2, error: null, logLines: 1 },
        ],
      },
    });
    const { id, approval: _, ...read } = body as { id: string; approval: null };
    expect((await owner.get(`/v1/runs/${id}`)).body).toEqual({ id, ...read });
    expect((await owner.get(`/v1/runs/${id}/log`)).body).toEqual({
      lines: ['attempt 1', 'attempt 2'],
      next: 2,
    });
    expect((await owner.get(`/v1/runs/${id}/log?attempt=1`)).body).toEqual({ lines: ['attempt 1'], next: 1 });
    expect((await owner.get(`/v1/runs/${id}/log?attempt=2`)).body).toEqual({ lines: ['attempt 2'], next: 2 });
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'run.retrying', 'run.succeeded']);
    expect(events[1]!.data).toMatchObject({
      status: 'running',
      attempt: 1,
      nextAttemptAt: expect.any(String) as string,
    });
  });

  it('fails once, when its attempts are used up', async () => {
    const script = await python(owner, NEVER, { retry: { attempts: 3, delay: 0 } });
    const { body } = await run(owner, script);
    expect(body).toMatchObject({ status: 'failed', error: 'exit code 3: no', attempt: 3 });
    expect((body as { attempts: unknown[] }).attempts).toHaveLength(3);
    const types = (await eventsOf((body as { id: string }).id)).map(({ type }) => type);
    expect(types).toEqual(['run.started', 'run.retrying', 'run.retrying', 'run.failed']);
  });

  it('is not tried again by itself, nor for another reason', async () => {
    const plain = await python(owner, NEVER);
    expect((await run(owner, plain)).body).toMatchObject({ status: 'failed', attempt: 1 });
    const other = await python(owner, NEVER, {
      retry: { attempts: 3, delay: 0, on: ['exit:75', 'timed_out'] },
    });
    expect((await run(owner, other)).body).toMatchObject({ status: 'failed', attempt: 1 });
  });

  it('follows what its start says rather than its version', async () => {
    const { slug } = await python(owner, NEVER, { retry: { attempts: 3, delay: 0 } });
    const start = (retry: object | null) => owner.post(`/v1/scripts/${slug}/runs`, { retry });
    expect((await start(null)).body).toMatchObject({ status: 'failed', attempt: 1 });
    expect((await start({ attempts: 2, delay: 0 })).body).toMatchObject({ status: 'failed', attempt: 2 });
    expect(await start({ attempts: 2, on: ['lost'] })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'retry.on.0' }] } },
    });
  });

  it('is cancelled at once while it waits', async () => {
    const script = await python(owner, NEVER, { retry: { attempts: 2, delay: 3600 }, timeout: 60 });
    const { status, body } = await run(owner, script);
    expect(status).toBe(202);
    const { id } = body as { id: string };
    const waiting = await runUntil(owner, id, (row) => (row as { phase: string }).phase === 'retrying');
    expect(waiting).toMatchObject({
      status: 'running',
      error: 'exit code 3: no',
      nextAttemptAt: expect.any(String) as string,
    });
    const { rows } = await database().query('SELECT worker_id, lease_until FROM runs WHERE id = $1', [id]);
    expect(rows).toEqual([{ worker_id: null, lease_until: null }]);
    expect(await owner.post(`/v1/runs/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', error: null, attempts: [{ attempt: 1, error: 'exit code 3: no' }] },
    });
  });

  it('is tried again when its worker died only where its version is idempotent', async () => {
    const forever = 'import os, time\nif os.environ["GATEHOUSE_ATTEMPT"] == "1": time.sleep(60)\n';
    const retry = { attempts: 2, delay: 0, on: ['lost'] };
    const script = await python(owner, forever, { retry, idempotent: true, timeout: 60 });
    const { body } = await run(owner, script);
    const { id } = body as { id: string };
    await runUntil(owner, id, (row) => (row as { phase: string }).phase === 'executing');
    // As if its worker had died: nobody renews a claim that is not the newest one.
    await database().query(
      `UPDATE runs SET claim = claim + 1, lease_until = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await runUntil(owner, id, finished)).toMatchObject({
      status: 'succeeded',
      attempts: [{ attempt: 1, error: 'the worker running this was lost' }, { attempt: 2 }],
    });
  });
});

it('refuses a version that would be tried again for too long, at the path', async () => {
  const { slug } = await python(owner, NEVER);
  const { body } = await owner.get(`/v1/scripts/${slug}/versions/1`);
  expect(body).toMatchObject({ retry: null, idempotent: false });
  const archive = await archiveOf({ 'main.py': NEVER });
  const refused = await owner.post(`/v1/scripts/${slug}/versions`, {
    archive,
    retry: { attempts: 11, delay: 86_401, on: ['lost'] },
  });
  expect(refused.status, refused.text).toBe(400);
  expect(
    (refused.body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
  ).toEqual(['retry.attempts', 'retry.delay', 'retry.on.0']);
});
