import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { ExtensionFolder } from '../support/extensions.js';
import { startGatehouse } from '../support/gatehouse.js';
import { newSlug } from '../support/scripts.js';

const ATTEMPTS = 3;

/** Writes down each call, and ends the process at the event of one script. */
const WITNESS = `
  import { appendFileSync } from 'node:fs';
  import { Module } from '@nestjs/common';
  import { EventHandler, Extension } from '@gatehouse/extension';

  export default function witness({ file }) {
    @EventHandler('witness')
    class Witness {
      handles = ['script.created'];

      async handle({ data }) {
        appendFileSync(file, data.script.name + '\\n');
        if (data.script.name === 'deadly') process.kill(process.pid, 'SIGKILL');
      }
    }

    @Extension({ name: 'witness' })
    @Module({ providers: [Witness] })
    class WitnessModule {}
    return WitnessModule;
  }`;

let folder: ExtensionFolder;
let env: Record<string, string>;
let house: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;

beforeAll(async () => {
  folder = await ExtensionFolder.make();
  env = {
    GATEHOUSE_EXTENSIONS: await folder.add('witness', WITNESS),
    EXTENSION_WITNESS_FILE: join(folder.path, 'calls.txt'),
    GATEHOUSE_SIGNUP: 'open',
    GATEHOUSE_RATE_LIMIT: '0',
  };
  house = await startGatehouse({ workingDirectory: folder.path, env });
  pool = new pg.Pool({ connectionString: house.databaseUrl, max: 2 });
});

afterAll(async () => {
  await pool?.end();
  await house?.stop();
  await folder?.remove();
});

async function calls(): Promise<string[]> {
  const text = await readFile(env['EXTENSION_WITNESS_FILE']!, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function untilItDies(): Promise<void> {
  const { process: service } = house;
  if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
}

async function startAgain(): Promise<void> {
  const { databaseUrl, dataDirectory } = house;
  await house.stop();
  house = {
    ...(await startGatehouse({
      workingDirectory: folder.path,
      dataDirectory,
      env: { ...env, DATABASE_URL: databaseUrl },
    })),
    databaseUrl,
  };
}

/** However long the next start takes. */
const leaseGoesOn = () =>
  pool.query(`UPDATE event_handlings SET lease_until = 'infinity' WHERE worker_id IS NOT NULL`);

/** What the sweep does of itself once the killed process's lease is over. */
const leaseIsOver = () => pool.query('UPDATE event_handlings SET worker_id = NULL, lease_until = NULL');

describe('events of a service of several processes', () => {
  it('are handled by one of them each', async () => {
    const { databaseUrl, dataDirectory } = house;
    const second = await startGatehouse({
      workingDirectory: folder.path,
      dataDirectory,
      env: { ...env, DATABASE_URL: databaseUrl, GATEHOUSE_ROLE: 'api' },
    });
    try {
      const { owner, slug } = await new Seed(house.baseUrl, pool).workspace();
      const names = Array.from({ length: 60 }, (_, index) => `shared ${index}`);
      const makers = [house, second].map(({ baseUrl }) =>
        createClient({ baseUrl, token: owner.token, workspace: slug }),
      );
      for (const [index, name] of names.entries()) {
        const made = await makers[index % 2]!.post('/v1/scripts', { slug: newSlug(), name });
        expect(made.status, made.text).toBe(201);
      }
      const left = async () => (await pool.query('SELECT FROM event_handlings')).rowCount;
      const waiting = async () =>
        (await pool.query('SELECT FROM events WHERE dispatched_at IS NULL')).rowCount! + (await left())!;
      await expect.poll(waiting).toBe(0);
      expect((await calls()).filter((name) => name.startsWith('shared')).sort()).toEqual(names.sort());
      const handledBy = async ({ baseUrl }: GatehouseProcess): Promise<number> => {
        const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
        const handled = /gatehouse_event_handlings_total\{handler="witness",outcome="handled"\} (\d+)/;
        return Number(handled.exec(metrics)?.[1] ?? 0);
      };
      // Whoever is quicker has handled all until then, if need be.
      const least = async (): Promise<number> => {
        for (const api of makers) await api.post('/v1/scripts', { slug: newSlug(), name: 'further' });
        return Math.min(await handledBy(house), await handledBy(second));
      };
      await expect.poll(least).toBeGreaterThan(0);
    } finally {
      await second.stop();
    }
  });
});

describe('an event whose handler kills the service each time that it is called', () => {
  it('is set aside after three attempts, and no other event is lost', async () => {
    const workspaces = new Seed(house.baseUrl, pool);
    const [attacker, bystander] = [await workspaces.workspace(), await workspaces.workspace()];
    const api = ({ owner, slug }: TestWorkspace): Client =>
      createClient({ baseUrl: house.baseUrl, token: owner.token, workspace: slug });
    const make = (of: TestWorkspace, name: string) => api(of).post('/v1/scripts', { slug: newSlug(), name });
    expect((await make(attacker, 'before')).status).toBe(201);
    // The process may die before it says that it did this.
    await make(attacker, 'deadly').catch(() => null);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await untilItDies();
      const { rows } = await pool.query<{ attempts: number }>(
        'SELECT h.attempts FROM event_handlings h JOIN events e ON e.id = h.event_id WHERE e.data #>> $1 = $2',
        ['{script,name}', 'deadly'],
      );
      expect(rows).toEqual([{ attempts: attempt }]);
      await leaseGoesOn();
      await startAgain();
      // Others, of whichever workspace, do not wait for it.
      expect((await make(bystander, `other ${attempt}`)).status).toBe(201);
      expect((await make(attacker, `own ${attempt}`)).status).toBe(201);
      await expect.poll(calls).toEqual(expect.arrayContaining([`other ${attempt}`, `own ${attempt}`]));
      await leaseIsOver();
    }
    const left = 'SELECT attempts, set_aside_at IS NOT NULL AS aside FROM event_handlings';
    await expect
      .poll(async () => (await pool.query(left)).rows)
      .toEqual([{ attempts: ATTEMPTS + 1, aside: true }]);
    const called = await calls();
    expect(called.filter((name) => name === 'deadly')).toHaveLength(ATTEMPTS);
    expect(called).toContain('before');
    // The line is printed behind the change.
    await expect
      .poll(() => house.output())
      .toMatch(/The event evt_\w+ is set aside for the handler witness: 3 attempts came to no end\./);
    const metrics = await (await fetch(`${house.baseUrl}/metrics`)).text();
    expect(metrics).toContain('gatehouse_event_handlings_set_aside{handler="witness"} 1');
  }, 240_000);
});
