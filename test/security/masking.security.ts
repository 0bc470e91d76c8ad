import { afterEach, describe, expect, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { archiveOf, newSlug } from '../support/scripts.js';
import { expectAnswersDuring } from './support/answers-during.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();
const LARGEST = 65_536;
const names: string[] = [];

/** Sets secrets that scripts may read. */
async function secrets(values: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const value of values) {
    const name = `LARGE_${names.length}`;
    names.push(name);
    made.push(name);
    const answer = await attacker.api.put(`/v1/workspace/secrets/${name}`, {
      value,
      hosts: [],
      allowEnv: true,
    });
    expect(answer.status, answer.text).toBe(200);
  }
  return made;
}

async function version(env: readonly string[]): Promise<Answer> {
  const slug = newSlug();
  await attacker.api.post('/v1/scripts', { slug, name: slug });
  return attacker.api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf({ 'main.py': 'pass' }),
    env,
  });
}

const alike = (count: number, bytes: number): string[] =>
  Array.from({ length: count }, (_, index) => 'a'.repeat(bytes - 2) + String(index).padStart(2, '0'));

const live = () => attacker.api.get('/health/live');

describe('secrets that are large together', () => {
  afterEach(async () => {
    for (const name of names.splice(0)) await attacker.api.delete(`/v1/workspace/secrets/${name}`);
  });

  it('are refused when a version is made, at the place that lists them', async () => {
    const env = await secrets(alike(25, LARGEST));
    const answer = await version(env);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.details).toEqual([
      {
        path: 'env',
        message:
          'the values that its secrets have in production are too large together: in all the forms that are searched for they come to more than 2 MiB. Use fewer or shorter ones',
      },
    ]);
    expect((await version(env.slice(0, 2))).status).toBe(201);
  });

  it('fail a run that says so, where the values came after the version', async () => {
    const [first = ''] = await secrets(['a value of a usual size']);
    const later = Array.from({ length: 8 }, (_, index) => `LATER_${index}`);
    const script = await attacker.script('print(1)', { env: [first, ...later] });
    for (const [index, value] of alike(8, LARGEST).entries()) {
      names.push(later[index]!);
      await attacker.api.put(`/v1/workspace/secrets/${later[index]}`, { value, hosts: [], allowEnv: true });
    }
    const end = await attacker.run(script);
    expect(end).toMatchObject({ status: 'failed', output: null });
    expect(end.error).toMatch(
      /^the values that its secrets have in production are too large together: .* Use fewer or shorter ones$/,
    );
  });

  it('stall nobody, however long the lines are that look like them', async () => {
    const env = await secrets(alike(2, LARGEST).concat(alike(6, 2_000)));
    const script = await attacker.script(
      `
for _ in range(40):
    sys.stderr.write("a" * 390_000 + "\\n")
    sys.stderr.write(("a" * 1_999 + "b") * 195 + "\\n")
sys.stderr.flush()
print(json.dumps(["a" * 60_000 + str(i) for i in range(16)]))`,
      { env, timeout: 120 },
    );
    const running = attacker.run(script);
    await expectAnswersDuring(running, live);
    expect(await running).toMatchObject({ status: 'succeeded' });
  });

  it('stall nobody with an output of very many texts', async () => {
    const env = await secrets(alike(6, 2_000));
    const script = await attacker.script(`sys.stdout.write("[" + ",".join(['"a"'] * 250_000) + "]")`, {
      env,
      timeout: 120,
    });
    const running = attacker.run(script);
    await expectAnswersDuring(running, live);
    expect(await running).toMatchObject({ status: 'succeeded' });
  });
});
