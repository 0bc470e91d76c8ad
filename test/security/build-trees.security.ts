import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { publishedScript, newSlug, archiveOf } from '../support/scripts.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();
const secret = randomBytes(20).toString('hex');
/** A directory of the host, to which no box may have a hand. */
let victim: string;

beforeEach(async () => {
  victim = await mkdtemp(join(tmpdir(), 'gatehouse-victim-'));
  await chmod(victim, 0o755);
  await writeFile(join(victim, 'kept.txt'), secret);
});

/** It is as it was. */
afterEach(async () => {
  expect(await readdir(victim)).toEqual(['kept.txt']);
  expect(await readFile(join(victim, 'kept.txt'), 'utf8')).toBe(secret);
  expect((await stat(victim)).mode & 0o777).toBe(0o755);
  await rm(victim, { recursive: true });
});

const SHOW_ALL = `
found = {}
for folder, folders, names in os.walk("/app"):
    for name in names + folders:
        path = os.path.join(folder, name)
        found[path] = "link" if os.path.islink(path) else "folder" if os.path.isdir(path) else open(path).read()[:200]
print(json.dumps(found))
`;
const main = `import json, os\n${SHOW_ALL}`;

async function build(
  command: string,
): Promise<{ status: number; text: string; seen: Record<string, string> }> {
  const slug = newSlug();
  expect((await attacker.api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  const version = await attacker.api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf({ 'main.py': main }),
    build: command.replaceAll('VICTIM', victim),
  });
  if (version.status !== 201) return { status: version.status, text: version.text, seen: {} };
  expect((await attacker.api.post(`/v1/scripts/${slug}/publish`, { version: 1 })).status).toBe(200);
  const end = await attacker.run({ slug, id: '' });
  expect(end).toMatchObject({ status: 'succeeded' });
  return { status: 201, text: version.text, seen: end.output as Record<string, string> };
}

describe('a build that leaves a link', () => {
  it.each([
    [
      'where the worker removes what is left over',
      'rm -rf .installation-scratch; ln -s VICTIM .installation-scratch',
    ],
    ['there, to a folder above', 'rm -rf .installation-scratch; ln -s ../../../../.. .installation-scratch'],
    [
      'within what the worker removes',
      'ln -s VICTIM .installation-scratch/a; mkdir .installation-scratch/b; ln -s VICTIM .installation-scratch/b/c',
    ],
    ['where dependencies are', 'ln -s VICTIM .deps; ln -s VICTIM node_modules; ln -s VICTIM/kept.txt file'],
    [
      'to a link to a link',
      'ln -s VICTIM one; ln -s one two; rm -rf .installation-scratch; ln -s two .installation-scratch',
    ],
    [
      'in the place of its own code',
      'rm main.py; mkdir d; ln -s VICTIM/kept.txt d/main.py; printf "import json, os\\nprint(json.dumps({}))" > main.py',
    ],
  ])('%s, harms nothing and learns nothing', async (_, command) => {
    const { status, text, seen } = await build(command);
    expect(status, text).toBe(201);
    expect(JSON.stringify(seen)).not.toContain(secret);
    expect(Object.keys(seen)).not.toContain('/app/.installation-scratch');
  });

  it.each([
    ['a file', 'rm -rf .installation-scratch; echo x > .installation-scratch'],
    ['a FIFO', 'rm -rf .installation-scratch; mkfifo .installation-scratch'],
    ['nothing', 'rm -rf .installation-scratch'],
    [
      'a folder closed to all',
      'mkdir -p .installation-scratch/a/b; chmod 000 .installation-scratch/a/b .installation-scratch/a .installation-scratch',
    ],
  ])('or %s where the worker removes what is left over, ends as any other', async (_, command) => {
    const { status, text, seen } = await build(command);
    expect(status, text).toBe(201);
    expect(Object.keys(seen)).toEqual(['/app/main.py']);
  });
});

describe('a run that leaves links in /outputs', () => {
  it('has none of them collected', async () => {
    const script = await publishedScript(attacker.api, {
      'main.py': `
import os
os.chdir("/outputs"); os.symlink("${victim}", "folder"); os.symlink("${victim}/kept.txt", "file")
os.mkdir("inner"); os.symlink("${victim}/kept.txt", "inner/file"); os.symlink("..", "inner/up"); open("inner/real", "w").write("mine")
print("null")
`,
    });
    const end = await attacker.run(script);
    expect(end).toMatchObject({
      status: 'succeeded',
      files: [expect.objectContaining({ name: 'inner/real' })],
    });
  });
});
