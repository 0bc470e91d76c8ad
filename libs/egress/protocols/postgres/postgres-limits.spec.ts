import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../certificate-authority.js';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { type PostgresServer, startPostgres } from '../../test/postgres-server.js';
import { codesOf, RawPostgres, say, typesOf } from '../../test/raw-postgres.js';

describe('statements at the gate', () => {
  const long = say.query(`SELECT '${'x'.repeat(1_048_000)}'`);
  let server: PostgresServer;
  let gate: PostgresGate;

  beforeAll(async () => {
    server = await startPostgres(new CertificateAuthority());
    await server.admin.query(`CREATE ROLE service LOGIN PASSWORD '${PASSWORD}'`);
  });
  afterEach(() => gate.close());
  afterAll(() => server.close());

  const raw = async (): Promise<RawPostgres> => RawPostgres.open(await gate.raw());

  it('are held to eight megabytes at a time, over all connections', async () => {
    gate = await PostgresGate.open(server.port, { readOnly: true });
    const slow = await Promise.all(Array.from({ length: 8 }, raw));
    for (const [at, session] of slow.entries())
      session.send(at < 7 ? long.subarray(0, 9) : long.subarray(0, 900));
    const other = await raw();
    const said = async (...messages: Buffer[]): Promise<string[]> =>
      codesOf(await other.send(...messages).until('Z'));
    await expect.poll(() => said(long)).toEqual(['54000']);
    expect(gate.refused.at(-1)).toContain('8 MiB');
    const parsed = say.parse(`SELECT '${'x'.repeat(1_000_000)}'`);
    expect(await said(parsed, say.bind(), say.execute(), say.sync)).toEqual(['54000']);
    // What is short needs no room, nor do parameters.
    const value = Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from([0, 15, 66, 64]),
      Buffer.alloc(1_000_000, 'x'),
    ]);
    const bind = Buffer.concat([Buffer.from('\0\0\0\0'), value, Buffer.from([0, 0])]);
    const header = Buffer.from([0x42, 0, 0, 0, 0]);
    header.writeInt32BE(bind.length + 4, 1);
    expect(await said(say.parse('SELECT length($1)'), header, bind, say.execute(), say.sync)).toEqual([]);
    const got = await other.send(say.query('SELECT 1')).until('Z');
    expect(typesOf(got)).toMatch(/TDCZ$/);
    // One whole, one given up.
    expect(codesOf(await slow[0]!.send(long.subarray(9)).until('Z'))).toEqual([]);
    expect(await said(long)).toEqual([]);
    slow[0]!.send(long.subarray(0, 9));
    await expect.poll(() => said(long)).toEqual(['54000']);
    for (const session of slow) session.socket.destroy();
    await expect.poll(() => said(long)).toEqual([]);
  });

  it('are counted as long as the gate has them, where a person is asked', async () => {
    gate = await PostgresGate.open(server.port, { asks: true });
    const values = (bytes: number): string => `INSERT INTO kept VALUES ('${'x'.repeat(bytes)}')`;
    const waiting = await Promise.all(Array.from({ length: 8 }, raw));
    // Another Parse behind the first, of which the rest may still come.
    for (const session of waiting) session.send(say.parse(values(1), 'a'), say.parse(values(1_048_000), 'b'));
    const other = await raw();
    await expect.poll(async () => codesOf(await other.send(long).until('Z'))).toEqual(['54000']);
    for (const session of waiting) session.socket.destroy();
    await expect.poll(async () => codesOf(await other.send(long).until('Z'))).toEqual([]);
  });

  it('have so many words at most', async () => {
    gate = await PostgresGate.open(server.port, { statementTimeoutMs: 60_000 });
    const client = await gate.client();
    const list = (numbers: number): string => `SELECT ${'1,'.repeat(numbers)}1 LIMIT 0`;
    for (const text of [list(50_000), ';'.repeat(50_001), `SELECT '${"','".repeat(25_000)}'`])
      await expect(client.query(text)).rejects.toMatchObject({
        code: '54000',
        message: 'The gate reads statements of at most 50000 words on this connection.',
      });
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM (VALUES ${'(1),'.repeat(12_000)}(1)) AS v`,
    );
    expect(rows).toEqual([{ n: 12_001 }]);
  });
});
