import { Extension, SecretSource, type SourcedSecret, Unavailable } from '@gatehouse/extension';
import { archiveOf, type Client, startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const SECRET = 'T0p-s3cret-of-the-source';
const STORED = 'stored-value-of-the-run';

@SecretSource('faulty')
class FaultySource {
  hanging = 0;
  aborted = 0;

  read({ reference }: SourcedSecret, { signal }: { signal: AbortSignal }): Promise<string> {
    switch (reference) {
      case 'hangs':
        this.hanging += 1;
        signal.addEventListener('abort', () => (this.aborted += 1));
        return new Promise(() => undefined);
      case 'throws at once':
        throw new TypeError(`https://vault.example/${SECRET}`);
      case 'says why':
        return Promise.reject(new Unavailable(`No luck:\n${STORED} ${'x'.repeat(2000)}`));
      case 'is too large':
        return Promise.resolve('x'.repeat(70_000));
      case 'is no text':
        return Promise.resolve(17 as unknown as string);
      default:
        return Promise.resolve(SECRET);
    }
  }
}

@Extension({ name: 'faulty' })
@Module({ providers: [FaultySource] })
class FaultyExtension {}

/** What a source does wrong ends the runs that need it, in words that hold no secret, and nothing else. */
describe('a source of secrets that fails', () => {
  let gatehouse: TestGatehouse;
  let owner: Client;
  const printed: string[] = [];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    gatehouse = await startGatehouse({
      extensions: [FaultyExtension],
      env: { GATEHOUSE_LOG_LEVEL: 'warn', GATEHOUSE_LOG_FORMAT: 'text' },
      runsScripts: true,
    });
    owner = gatehouse.api.as(gatehouse.workspace.owner.token);
    await put('STORED', { value: STORED });
    await put('SOURCED', { source: 'faulty', reference: 'works' });
    await owner.post('/v1/scripts', { slug: 'show', name: 'Show' });
    const archive = await archiveOf({
      'main.py': `import os; print(os.environ['SOURCED'], os.environ['STORED'], 'shown')`,
    });
    await owner.post('/v1/scripts/show/versions', { archive, env: ['SOURCED', 'STORED'] });
    await owner.post('/v1/scripts/show/publish', { version: 1 });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    vi.restoreAllMocks();
  });

  const put = async (name: string, fields: object) => {
    const body = { hosts: [], allowEnv: true, ...fields };
    const { status, text } = await owner.put(`/v1/workspace/secrets/${name}`, body);
    expect(status, text).toBe(200);
  };
  const runWith = async (reference: string) => {
    await put('SOURCED', { source: 'faulty', reference });
    return (await owner.post('/v1/scripts/show/runs', { inputs: {} })).body;
  };

  it.each([
    ['throws at once', 'it failed, and the service has logged where'],
    ['is too large', 'its value there must not be larger than 65536 bytes'],
    ['is no text', 'its value there is no text'],
  ])('ends the run where it %s', async (reference, why) => {
    expect(await runWith(reference)).toMatchObject({
      status: 'failed',
      error: `the secret SOURCED cannot be read from faulty: ${why}`,
    });
  });

  it('has its words shown, in one line of some length, without what the run has of secrets', async () => {
    const { error } = await runWith('says why');
    expect(error).toMatch(/^the secret SOURCED cannot be read from faulty: No luck: \S+ x+…$/);
    expect(error.length).toBeLessThan(600);
    expect(error).not.toContain(STORED);
  });

  it('holds up no other run while it hangs, and ends its own in time', async () => {
    await put('SOURCED', { source: 'faulty', reference: 'hangs' });
    const hanging = owner.post('/v1/scripts/show/runs', { inputs: {} });
    await expect.poll(() => gatehouse.get(FaultySource).hanging).toBe(1);
    const works = await runWith('works');
    expect(works.status).toBe('succeeded');
    expect((await owner.get(`/v1/runs/${works.id}/log`)).text).toContain('shown');
    expect(JSON.stringify(works)).not.toContain('s3cret');
    expect((await hanging).body).toMatchObject({
      status: 'failed',
      error: 'the secret SOURCED cannot be read from faulty: It did not end within 10 s.',
    });
    expect(gatehouse.get(FaultySource).aborted).toBe(1);
  });

  it('is asked for nothing where the row was changed outside of Gatehouse', async () => {
    await put('SOURCED', { source: 'faulty', reference: 'works' });
    const forge = (change: string) =>
      gatehouse.database.query(
        `UPDATE secret_values v SET ${change} FROM secrets s WHERE s.id = v.secret_id AND s.name = 'SOURCED'`,
      );
    await forge(`reference = 'another'`);
    expect((await owner.post('/v1/scripts/show/runs', { inputs: {} })).body.status).toBe('succeeded');
    await forge(`source = NULL, reference = NULL`);
    const { body } = await owner.post('/v1/scripts/show/runs', { inputs: {} });
    expect(body.error).toContain('the value of the secret SOURCED cannot be decrypted');
  });

  it('is named in the log with the place, and nothing of its messages', () => {
    expect(printed.join('')).toMatch(
      /The source faulty could not give SOURCED: TypeError at .*secret-sources/,
    );
    expect(printed.join('')).not.toContain('s3cret');
  });
});
