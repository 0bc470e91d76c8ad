import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, freePort } from '../../libs/testing/index.js';
import { compose, confinement } from './support/compose.js';
import { Container, engine, tryIn } from './support/container.js';

/** The user of the image. */
const USER = 1000;
const ADMIN = ['node', 'dist/src/admin.js'];

describe('the operator’s commands for backups, in the image', () => {
  const volumes = ['original', 'restored'].map((name) => `${name}-${randomBytes(4).toString('hex')}`);
  const containers: Container[] = [];
  let backups: string;
  let original: Container;
  let firstRun: Record<string, string>;

  const start = async (options: string[]): Promise<Container> => {
    const container = await Container.start({ options }, { port: await freePort() });
    containers.push(container);
    return container.ready();
  };

  /** As `docker compose run` has it: what it is given beside the service is in `options`. @returns what it said */
  const command = async (args: string[], options: string[]): Promise<string> => {
    const ended = await tryIn([...ADMIN, ...args], [...confinement(compose.services.api), ...options]);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
    return ended.stdout;
  };

  beforeAll(async () => {
    backups = await mkdtemp(join(tmpdir(), 'gatehouse-container-backups-'));
    await chown(backups, USER, USER);
    for (const volume of volumes) await engine().docker(['volume', 'create', volume]);
    original = await start([`--volume=${volumes[0]}:/data`, `--volume=${backups}:/backups`]);
    firstRun = JSON.parse(await original.exec('cat', '/data/first-run.json')) as Record<string, string>;
  });
  afterAll(async () => {
    for (const container of containers) await container.remove();
    for (const volume of volumes) await engine().attempt(['volume', 'rm', volume]);
    await rm(backups, { recursive: true, force: true });
  });

  it('back up the embedded database of a container that runs, beside it', async () => {
    const made = await original.exec(...ADMIN, 'backup-key', '/backups/backup.key');
    expect(made).toContain('age1');
    const pub = /age1\w+/.exec(made)![0];
    const piped = `echo ${pub} | ${ADMIN.join(' ')} backup - --key-file - > /backups/gatehouse.tar`;
    await original.exec('sh', '-c', piped);
    await original.exec('sh', '-c', `echo ${pub} > /backups/backup.pub`);
  });

  it('back up from a container of their own, with what a pod of the CronJob is given', async () => {
    const { url } = JSON.parse(await original.exec('cat', '/data/postgres.json')) as { url: string };
    const masterKey = await original.exec('cat', '/data/master.key');
    const said = await command(
      ['backup', '/backups/all', '--key-file=/backup-key/backup.key', '--keep=14'],
      [
        `--volume=${volumes[0]}:/api`,
        `--volume=${backups}:/backups`,
        `--volume=${join(backups, 'backup.pub')}:/backup-key/backup.key:ro`,
        `--env=DATABASE_URL=${url.replace(encodeURIComponent('/data/'), encodeURIComponent('/api/'))}`,
        `--env=GATEHOUSE_MASTER_KEY=${masterKey}`,
        '--env=GATEHOUSE_FILES=file:/api/files',
      ],
    );
    expect(said).toMatch(/is whole: .*\nGATEHOUSE_MASTER_KEY is not in it/);
    const options = [`--volume=${backups}:/backups:ro`, `--env=GATEHOUSE_MASTER_KEY=${masterKey}`];
    expect(
      await command(['verify-backup', '/backups/all', '--key-file', '/backups/backup.key'], options),
    ).toContain('can be restored');
  });

  it('restore into an empty volume, from which a container starts', async () => {
    const options = [`--volume=${volumes[1]}:/data`, `--volume=${backups}:/backups:ro`];
    const restore = `${ADMIN.join(' ')} restore - --key-file /backups/backup.key < /backups/gatehouse.tar`;
    const ended = await tryIn(['sh', '-c', restore], [...confinement(compose.services.api), ...options]);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
    const restored = await start([`--volume=${volumes[1]}:/data`]);
    expect(await restored.output()).toContain('begins nothing by itself');
    expect(await restored.exec(...ADMIN, 'resume')).toContain('From now on');
    const { personalAccessToken, workspace } = firstRun;
    const api = createClient({
      baseUrl: restored.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    const { body } = await api.get('/v1/runs?script=country-chart');
    expect(body.items).toMatchObject([{ status: 'succeeded' }]);
  });
});
