import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine, CTRL_C } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';

let installed: CommandLine;
let workspace: TestWorkspace;
let api: Client;
let mine: CommandLine;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  mine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

const path = (...parts: string[]): string => join(installed.directory, ...parts);
const text = (...parts: string[]): Promise<string> => readFile(path(...parts), 'utf8');
/** At once, as editors do it: nobody finds half of it. */
async function save(file: string, content: string): Promise<void> {
  await writeFile(path('being-saved'), content);
  await rename(path('being-saved'), path(file));
}
const replace = async (file: string, from: string, to: string): Promise<void> =>
  save(file, (await text(file)).replace(from, to));

const runsOf = async (slug: string) => (await api.get(`/v1/runs?script=${slug}`)).body.items;

describe('the command line at a desk', () => {
  it(
    'begins a script, tries each save, pushes, meets a colleague’s version, and takes it in',
    { tags: 'slow' },
    async () => {
      const { token, name } = await workspace.person('member');
      const colleague = installed.as(token, workspace.slug);
      expect((await mine.run(['init', 'greeter'])).code).toBe(0);

      const here = mine.in('greeter');
      const dev = here.terminal(['dev', '--name', 'Ada']);
      await dev.shows('Hello, Ada!');
      await replace('greeter/main.py', 'Hello', 'Good morning');
      await dev.shows('Good morning, Ada!');
      await dev.shows(/\d+ ms from the save to the first line/);
      dev.type(CTRL_C);
      expect(await dev.ended, dev.text).toBe(0);
      expect((await api.get('/v1/scripts/greeter/versions')).body.items).toEqual([]);

      expect((await here.run(['push', '--publish'])).stderr).toContain('Version 1 is published.');
      expect((await colleague.run(['pull', 'greeter', 'theirs'])).code).toBe(0);
      await replace('theirs/main.py', 'import json\n', 'import json  # for the output\n');
      expect((await colleague.in('theirs').run(['push', '--publish'])).stderr).toContain('Version 2');

      await replace('greeter/main.py', '!"}', '?"}');
      const refused = await here.run(['push', '--publish']);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`version 2 by ${name}`)]);
      expect((await here.run(['status'])).stderr).toContain('behind: gatehouse pull');
      expect((await here.run(['pull'])).code).toBe(0);
      const { stdout } = await here.run(['diff']);
      expect(stdout).toContain('-print(json.dumps({"greeting": f"Good morning, {sys.argv[1]}!"}))');
      expect(stdout).toContain('+print(json.dumps({"greeting": f"Good morning, {sys.argv[1]}?"}))');
      expect(stdout).not.toContain('for the output');
      expect((await here.run(['push', '--publish'])).stderr).toContain('Version 3 is published.');
      expect((await mine.run(['run', 'greeter', '--name', 'Ada'])).stdout).toContain('Good morning, Ada?');
      expect(await text('greeter', 'main.py')).toContain('# for the output');
    },
  );
});

describe('dev', () => {
  it('cancels the try before, and tries nothing twice', async () => {
    expect((await mine.run(['init', 'slow', '-t', 'shell'])).code).toBe(0);
    await replace('slow/main.sh', 'echo "Hello', 'sleep 600\necho "Hello');
    await replace('slow/gatehouse.yaml', 'timeout: 30', 'timeout: 900');
    const dev = mine.in('slow').start(['dev', '--name', 'Ada']);
    await expect.poll(dev.stderr).toContain('greeting Ada');
    await save('slow/main.sh', await text('slow', 'main.sh'));
    await replace('slow/main.sh', 'sleep 600\n', '');
    await expect.poll(dev.stderr).toContain('from the save to the first line');
    await expect
      .poll(async () => (await runsOf('slow')).map(({ status }: { status: string }) => status))
      .toEqual(['succeeded', 'cancelled']);
    expect((await runsOf('slow'))[0]).toMatchObject({ trial: true, test: true, interface: 'cli' });
    dev.child.kill('SIGTERM');
    expect(await dev.ended).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n' });
  });

  it('says what is wrong, and goes on', async () => {
    expect((await mine.run(['init', 'wrong'])).code).toBe(0);
    await replace('wrong/gatehouse.yaml', 'timeout: 30', 'timeout: 5000');
    const dev = mine.in('wrong').start(['dev', '--name', 'Ada']);
    await expect.poll(dev.stderr).toContain('timeout');
    await replace('wrong/gatehouse.yaml', 'timeout: 5000', 'tymeout: 30');
    await expect.poll(dev.stderr).toContain('tymeout is not known');
    await replace('wrong/gatehouse.yaml', 'tymeout', 'timeout');
    await expect.poll(dev.stderr).toContain('from the save to the first line');
    dev.child.kill('SIGTERM');
    expect((await dev.ended).stdout).toContain('Hello, Ada!');
  });

  it('ends where each try would ask a person', async () => {
    const other = await newWorkspace();
    const owner = client({ cookie: other.owner.cookie, workspace: other.slug });
    await owner.patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true });
    const author = installed.as((await other.person('member')).token, other.slug);
    expect((await author.run(['init', 'held'])).code).toBe(0);
    const ended = await author.in('held').run(['dev', '--name', 'Ada']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('gatehouse runs watch run_') });
  });
});
