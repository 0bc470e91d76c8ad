import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { newId } from '../../src/core/crypto/ids.js';
import { EventReader, STREAM, asPerson } from '../support/event-stream.js';
import { baseUrl, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { inApp } from '../support/people.js';

/** More than fits into the kernel's buffers, into what is being written, and into what may wait: 4 MiB or so each. */
const MANY = 3_000;
/** Whoever reads has them before more may wait for it than it may have: also where this process has other things to do. */
const AT_ONCE = 250;
const LONG = 'A'.repeat(8_000);

describe('a client that does not read', () => {
  it('is cut off, and costs others nothing', { tags: 'slow' }, async () => {
    const workspace = await newWorkspace();
    const headers = asPerson(workspace.owner, workspace);
    const brisk = await EventReader.open(headers);
    const { hostname, port } = new URL(baseUrl());
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({ host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`GET ${STREAM} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    await new Promise((begun) => socket.once('data', begun));
    socket.pause();
    const seen = () => [brisk.events.length, brisk.ended, brisk.types().at(-1)].join(' ');
    for (let told = AT_ONCE; told <= MANY; told += AT_ONCE) {
      await database().query(
        `INSERT INTO events (id, workspace_id, environment_id, type, data)
         SELECT id, $2, $3, 'secret.updated', jsonb_build_object('name', $4::text, 'environment', 'production')
         FROM unnest($1::text[]) AS i(id)`,
        [Array.from({ length: AT_ONCE }, () => newId('event')), workspace.id, workspace.environmentId, LONG],
      );
      await expect.poll(seen).toBe(`${told} false secret.updated`);
    }
    expect(brisk.types()).not.toContain('reset');
    // The service cut it off while it was not reading: what is in the buffers comes, and then the end.
    await new Promise((wait) => setTimeout(wait, 3_000));
    let got = '';
    const over = new Promise((end) => socket.once('close', () => end('cut off')));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => (got += bytes.toString()));
    socket.resume();
    expect(await Promise.race([over, new Promise((late) => setTimeout(late, 30_000, 'goes on'))])).toBe(
      'cut off',
    );
    const count = got.split('event: secret.updated').length - 1;
    expect(count).toBeLessThan(MANY);
    brisk.close();
    await database().query('DELETE FROM events WHERE workspace_id = $1 AND type = $2', [
      workspace.id,
      'secret.updated',
    ]);
  });
});

describe('with several processes', () => {
  let second: Awaited<ReturnType<typeof startGatehouse>>;
  beforeAll(async () => {
    // A worker without the files of the others would fail the runs of all tests.
    const env = { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api' };
    second = await startGatehouse({ env });
  });
  afterAll(() => second?.stop());

  it('a stream shows what happens in any of them, and goes on in another when its own stops', async () => {
    const workspace = await newWorkspace();
    const headers = asPerson(workspace.owner, workspace);
    const owner = inApp(workspace.owner, workspace);
    const stream = await EventReader.open(headers, second.baseUrl);
    await owner.post('/v1/scripts', { slug: 'one', name: 'One' });
    const { id } = await stream.next(({ data }) => data.data?.script?.slug === 'one');
    await second.stop();
    await stream.end(60_000);
    await owner.post('/v1/scripts', { slug: 'two', name: 'Two' });
    const resumed = await EventReader.open({ ...headers, 'last-event-id': id });
    await resumed.next(({ data }) => data.data?.script?.slug === 'two');
    resumed.close();
    expect(resumed.types()).not.toContain('reset');
  });
});
