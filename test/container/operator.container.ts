import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Client, createClient } from '../../libs/testing/index.js';
import { keptDumps } from '../upgrades/support/dump.js';
import type { SmallDisk } from '../support/small-disk.js';
import { python, run, type TestScript } from '../support/scripts.js';
import { engine } from './support/container.js';
import { olderImage } from './support/older-image.js';
import { Operator } from './support/operator.js';

const MINUTES = 60_000;
const DISK_MB = 900;
const READY = { timeout: 90_000, interval: 250 };
/** The first of its processes, which has the others end. */
const KILL_POSTGRES =
  'for it in /proc/[0-9]*; do if tr "\\0" " " < $it/cmdline | grep -q "^[^ ]*/bin/postgres -D"; then kill -9 ${it#/proc/}; fi; done';
/** Of a rate that no limit refuses. */
const PAUSE_MS = 150;

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const before = (await keptDumps()).at(-1)!;
/** The pages are of this release. Those of the one before name its own image. */
const OF_BEFORE = { [`gatehouse:${version}`]: `gatehouse:${before.version}` };

/**
 * Somebody who knows nothing but docs/guide: installs the release before this one, loses the machine, restores a backup elsewhere,
 * and upgrades it. Each test goes on where the one before it has ended. That `docker load` brings the image is tried where a
 * release is made.
 */
describe('an operator who follows the guide', { timeout: 3 * MINUTES }, () => {
  let operator: Operator;
  let disk: SmallDisk;
  let api: Client;
  let script: TestScript;
  let kept: string;

  const status = async (): Promise<number> =>
    fetch(`${operator.baseUrl}/health/ready`).then(
      (response) => response.status,
      () => 0,
    );
  const ready = (): Promise<void> => expect.poll(status, READY).toBe(200);
  const runs = async (): Promise<string> => (await run(api, script)).body.status as string;
  const admin = (...words: string[]): Promise<string> =>
    operator.type(`docker exec gatehouse node dist/src/admin.js ${words.join(' ')} || true`);

  beforeAll(async () => {
    operator = await Operator.begin();
    await olderImage(before);
    await engine().docker(['tag', inject('image'), `gatehouse:${version}`]);
    disk = await operator.newMachine(DISK_MB);
  }, 10 * MINUTES);
  afterAll(() => operator?.end());

  it('installs a release in an empty place, and runs a script', async () => {
    await operator.follow('operations.md', 'docker run --detach', OF_BEFORE);
    await ready();
    const printed = await operator.follow('operations.md', 'docker exec gatehouse cat');
    const { personalAccessToken, workspace } = JSON.parse(printed) as Record<string, string>;
    api = createClient({
      baseUrl: operator.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    script = await python(api, 'print("ran")');
    expect(await runs()).toBe('succeeded');
  });

  it('makes a backup while runs go on', async () => {
    const said = await operator.follow(
      'backups.md',
      'sudo install --directory --owner 1000 --group 1000 /mnt/key\n',
      OF_BEFORE,
    );
    await writeFile(join(operator.folder, 'backup.pub'), /age1\w+/.exec(said)![0]);
    kept = (await run(api, script)).body.id as string;
    let going = true;
    const others = (async () => {
      while (going) expect(await runs()).toBe('succeeded');
    })();
    await operator.follow('backups.md', 'docker exec --interactive gatehouse');
    going = false;
    await others;
  });

  it('loses the machine, and restores the backup on another', async () => {
    await operator.loseMachine();
    expect(await status()).toBe(0);
    disk = await operator.newMachine(DISK_MB);
    expect(await operator.follow('backups.md', 'docker run --rm --interactive', OF_BEFORE)).toContain(
      'is restored',
    );
    await operator.follow('operations.md', 'docker run --detach', OF_BEFORE);
    await ready();
    expect(await operator.log()).toContain('begins nothing by itself');
    expect((await api.get(`/v1/runs/${kept}`)).body).toMatchObject({ status: 'succeeded', output: 'ran' });
    expect(
      await operator.follow('backups.md', 'docker exec gatehouse node dist/src/admin.js resume'),
    ).toContain('From now on');
    await expect.poll(runs, READY).toBe('succeeded');
  });

  it('upgrades it to this release while people work, who lose nothing that was said to be done', async () => {
    const made: string[] = [];
    const refused: string[] = [];
    let working = true;
    const people = (async () => {
      for (let at = 0; working; at++) {
        const slug = `at-work-${at}`;
        // In one container nobody answers for a while.
        const answer = await api.post('/v1/scripts', { slug, name: slug }).catch(() => null);
        if (answer?.status === 201) made.push(slug);
        else if (answer !== null && answer.status < 500) refused.push(`${slug}: ${answer.text}`);
        await sleep(PAUSE_MS);
      }
    })();
    await expect.poll(() => made.length, READY).toBeGreaterThan(5);
    await operator.follow('upgrading.md', 'docker stop gatehouse\n');
    const first = made.length;
    await operator.follow('operations.md', 'docker run --detach');
    await ready();
    await expect.poll(() => made.length, READY).toBeGreaterThan(first + 5);
    working = false;
    await people;
    expect(refused).toEqual([]);
    for (const slug of made) expect((await api.get(`/v1/scripts/${slug}`)).status, slug).toBe(200);
    expect(await operator.type('docker exec gatehouse cat package.json')).toContain(
      `"version": "${version}"`,
    );
    expect((await api.get(`/v1/runs/${kept}`)).body).toMatchObject({ status: 'succeeded', output: 'ran' });
    expect(await runs()).toBe('succeeded');
  });

  it('loses the database server, which is started again', async () => {
    await operator.type(`docker exec gatehouse sh -c '${KILL_POSTGRES}'`);
    await expect.poll(() => runs().catch(() => 'not answered'), READY).toBe('succeeded');
    await ready();
  });

  it('is told of a full disk, and goes on once there is room', async () => {
    await disk.fillUpTo(100);
    const refusal = async (): Promise<unknown> => {
      const { status: code, text } = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {} });
      return code === 503 && text;
    };
    await expect.poll(refusal, READY).toContain('The disk of GATEHOUSE_DATA is full');
    expect(await admin('doctor')).toContain('fail  disk of GATEHOUSE_DATA');
    expect((await api.get(`/v1/runs/${kept}`)).status).toBe(200);
    await disk.empty();
    await expect.poll(refusal, READY).toBe(false);
    expect(await runs()).toBe('succeeded');
  });
});
