import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { CertificateAuthority } from '../certificate-authority.js';
import type { PostgresOptions } from '../protocols/postgres/index.js';
import { PASSWORD, PostgresGate } from './postgres-fixture.js';
import { type PostgresServer, startPostgres } from './postgres-server.js';

const run = promisify(execFile);

interface ClientSurroundings {
  env?: Record<string, string>;
  cwd?: string;
  /** What a person says of a statement that waits. */
  decide?: PostgresGate['decide'];
}

/** Programs that speak to a PostgreSQL through a gate, and know of it only where it is. */
export class ClientPrograms {
  server!: PostgresServer;
  gate!: PostgresGate;

  /** To be called within `describe`. The user of the secret may do everything with the table `kept`. */
  static forEach(): ClientPrograms {
    const programs = new ClientPrograms();
    beforeAll(async () => {
      programs.server = await startPostgres(new CertificateAuthority());
      const { admin } = programs.server;
      await admin.query(`CREATE ROLE service LOGIN PASSWORD '${PASSWORD}'; CREATE TABLE kept (n int)`);
      await admin.query('GRANT ALL ON kept TO service; GRANT CREATE, USAGE ON SCHEMA public TO service');
    });
    afterEach(() => programs.gate.close());
    afterAll(() => programs.server.close());
    return programs;
  }

  /** What one prints, of which the address is that of a new gate. */
  async run(
    program: string,
    args: string[],
    options: Partial<PostgresOptions>,
    { env = {}, cwd, decide }: ClientSurroundings = {},
  ): Promise<string> {
    this.gate = await PostgresGate.open(this.server.port, options);
    if (decide) this.gate.decide = decide;
    const port = String(this.gate.port);
    const address = {
      DATABASE_URL: `postgresql://box:box@127.0.0.1:${port}/postgres`,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'box',
      PGPASSWORD: 'box',
      PGDATABASE: 'postgres',
    };
    const { stdout, stderr } = await run(program, args, {
      env: { PATH: process.env['PATH'], ...address, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    return stdout + stderr;
  }
}
