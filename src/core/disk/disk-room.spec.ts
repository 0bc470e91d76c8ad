import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Settings } from '../config/index.js';
import { Unavailable } from '../errors/index.js';
import { DiskRoom } from './disk-room.js';

const directory = join(tmpdir(), 'that', 'is', 'not', 'there');

async function roomWith(environment: Record<string, string>): Promise<DiskRoom> {
  const room = new DiskRoom(new Settings({ GATEHOUSE_DATA: directory, ...environment }));
  await room.look();
  return room;
}

describe('DiskRoom', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['warn', 'error']));

  it('is enough where more than the reserve is free, of a directory that is yet to be made', async () => {
    const room = await roomWith({ GATEHOUSE_DISK_RESERVE_MB: '0' });
    expect([room.isEnough, room.problem]).toEqual([true, null]);
    expect(() => room.assertEnough()).not.toThrow();
    // The files are on the same disk, which is looked at once.
    expect(room.seen()).toEqual([{ name: 'database', bytes: expect.any(Number), isLow: false }]);
  });

  it('is not where less is free, and says by which setting but not where', async () => {
    const room = await roomWith({ GATEHOUSE_DISK_RESERVE_MB: '1000000000' });
    expect(room.isEnough).toBe(false);
    expect(room.problem).toMatch(/^The disk of GATEHOUSE_DATA is full but for \d+ [MG]B, /);
    expect(room.problem).not.toContain(directory);
    expect(() => room.assertEnough()).toThrow(Unavailable);
  });

  it('looks at no disk where database and files are elsewhere', async () => {
    const elsewhere = {
      DATABASE_URL: 'postgres://db/gatehouse',
      GATEHOUSE_FILES: 's3://bucket',
      GATEHOUSE_ROLE: 'api',
    };
    const room = await roomWith({ ...elsewhere, GATEHOUSE_DISK_RESERVE_MB: '1000000000' });
    expect([room.isEnough, room.seen()]).toEqual([true, []]);
  });
});
