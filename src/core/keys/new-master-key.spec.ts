import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { InvalidSettings } from '../config/index.js';
import { NEW_KEY_VARIABLE, type NewKeySources, readNewMasterKey } from './new-master-key.js';
import { RotationRefused } from './rotation-refused.js';

const KEY = randomBytes(32);
const GIVEN = { [NEW_KEY_VARIABLE]: KEY.toString('base64') };

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-new-key-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const read = (sources: Partial<NewKeySources>): Promise<Buffer> =>
  readNewMasterKey({ environment: {}, file: undefined, mayBeMade: false, ...sources });

async function fileOf(text: string): Promise<string> {
  const path = join(directory, randomBytes(4).toString('hex'));
  await writeFile(path, text);
  return path;
}

describe('a new master key', () => {
  it('is that of the variable, or of the file, which comes first', async () => {
    expect(await read({ environment: GIVEN })).toEqual(KEY);
    const other = randomBytes(32);
    const file = await fileOf(`${other.toString('base64')}\n`);
    expect(await read({ environment: GIVEN, file })).toEqual(other);
  });

  it('is made up where that is allowed and none is given', async () => {
    const made = await read({ mayBeMade: true });
    expect(made).toHaveLength(32);
    expect(made).not.toEqual(await read({ mayBeMade: true }));
  });

  it('is asked for where it has to be given, and where its file is empty', async () => {
    const file = await fileOf('');
    for (const sources of [{}, { file }, { file, mayBeMade: true }]) {
      await expect(read(sources)).rejects.toThrow(RotationRefused);
      await expect(read(sources)).rejects.toThrow(/Give the new master key/);
    }
  });

  it('has 32 bytes in base64, and is not shown where it is wrong', async () => {
    const wrong = { environment: { [NEW_KEY_VARIABLE]: 'c2hvcnQ=' } };
    await expect(read(wrong)).rejects.toThrow(InvalidSettings);
    await expect(read(wrong)).rejects.toThrow(/32 bytes in base64/);
    await expect(read(wrong)).rejects.not.toThrow('c2hvcnQ=');
  });

  it('is not made up where its file cannot be read', async () => {
    await expect(read({ file: join(directory, 'nowhere'), mayBeMade: true })).rejects.toThrow(
      /could not be read/,
    );
  });
});
