import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, firstRun, startGatehouse } from '../../libs/testing/index.js';
import { admin, digests, done, filesIn, type InstancePlace, refused, withUrl } from '../support/backups.js';
import { inDatabase } from '../support/claiming.js';
import { newDatabase } from '../support/gatehouse.js';

const KEPT = 'bytes of a file that is kept';

describe('an instance with the embedded database', () => {
  let work: string;
  let original: string;
  let keyFile: string;
  let credentials: Record<string, string>;
  let upload: string;

  const start = (place: InstancePlace) =>
    startGatehouse({ dataDirectory: place.dataDirectory, env: place.env });
  /** As it was when it was stopped. */
  async function copy(name: string): Promise<InstancePlace> {
    const dataDirectory = join(work, name);
    await cp(original, dataDirectory, { recursive: true });
    return { dataDirectory, env: { DATABASE_URL: '' } };
  }
  const backedUp = async (place: InstancePlace): Promise<{ said: string; directory: string }> => {
    const directory = `${place.dataDirectory}-backups`;
    return { said: await done(admin(place, 'backup', directory, '--key-file', keyFile)), directory };
  };

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'gatehouse-embedded-'));
    original = join(work, 'original');
    keyFile = join(work, 'backup.key');
    const place = { dataDirectory: original, env: { DATABASE_URL: '' } };
    const gatehouse = await start(place);
    credentials = await firstRun(gatehouse);
    const { personalAccessToken, workspace } = credentials;
    const owner = createClient({
      baseUrl: gatehouse.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    await owner.put('/v1/workspace/secrets/TOKEN', { value: 'a secret value', hosts: ['a.com'] });
    upload = (await owner.post('/v1/files?name=kept.txt', KEPT, { 'content-type': 'text/plain' })).body.id;
    await gatehouse.stop();
    await done(admin(place, 'backup-key', keyFile));
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  it('moves to a database of its own, and the old one is held', async () => {
    const place = await copy('moved');
    const target = await newDatabase();
    const rows = await withUrl(place, digests);
    const env = { ...place.env, GATEHOUSE_NEW_DATABASE_URL: target };
    expect(await done(admin({ ...place, env }, 'move-database'))).toContain('are in the new database');
    expect(await digests(target)).toEqual(rows);
    expect(await withUrl(place, digests)).toEqual(rows);

    const moved = await start({ ...place, env: { DATABASE_URL: target } });
    const { personalAccessToken, workspace } = credentials;
    const owner = createClient({
      baseUrl: moved.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    expect((await owner.get(`/v1/files/${upload}/content`)).text).toBe(KEPT);
    await moved.stop();
    expect(moved.output()).not.toContain('restored copy');
    const old = await start(place);
    await expect.poll(() => old.output()).toContain('begins nothing by itself');
    await old.stop();
  });

  it('rehearses an upgrade on a copy, and stays as it is', async () => {
    const place = await copy('rehearsed');
    const rows = await withUrl(place, async (url) => {
      await inDatabase(
        url,
        'ALTER TABLE scripts DROP COLUMN revision',
        `DELETE FROM migrations WHERE name LIKE 'ScriptRevisions%'`,
      );
      return digests(url);
    });
    expect(await done(admin(place, 'rehearse-upgrade'))).toMatch(
      /ScriptRevisions\d+: \d+ ms, locks for as long: scripts \(AccessExclusiveLock\)/,
    );
    expect(await withUrl(place, digests)).toEqual(rows);
  });

  it('is told of a secret that opens no more, when its backup is verified', async () => {
    const place = await copy('closed');
    await withUrl(place, (url) =>
      inDatabase(url, 'UPDATE secret_values SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20))'),
    );
    const { directory } = await backedUp(place);
    expect(await refused(admin(place, 'verify-backup', directory, '--key-file', keyFile))).toContain(
      `No secret of the workspace ${credentials['workspace']} opens with this master key.`,
    );
  });

  it('is told of a file that was lost before its backup, then and later', async () => {
    const place = await copy('lost');
    for (const path of await filesIn(join(place.dataDirectory, 'files')))
      if ((await readFile(path, 'utf8')) === KEPT) await rm(path);
    const { said, directory } = await backedUp(place);
    const lost = /Missing from the place for files when it was made: \S+\./;
    expect(said).toMatch(lost);
    const verified = await done(admin(place, 'verify-backup', directory, '--key-file', keyFile));
    expect(verified).toMatch(lost);
    expect(verified).toContain('can be restored');
  });
});
