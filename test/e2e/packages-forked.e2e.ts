import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Sandbox } from '../../libs/sandbox/sandbox.js';
import { finish, openSandbox } from '../../libs/sandbox/test/in-box.js';
import { PACKAGE_PROGRAMS } from '../../libs/sandbox/test/programs/package-programs.js';
import { settled } from '../../libs/sandbox/test/settled.js';

/** Packages that cannot be imported before there is a run for them, and why. Their scripts start as they would otherwise. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  aiohttp: /whom a run trusts/,
  scipy: /random numbers .*scipy.stats/,
  'scikit-learn': /random numbers .*scipy.stats/,
  polars: /change the environment/,
  pyarrow: /process where none is expected|threads/,
  matplotlib: /files/,
  fastapi: /random numbers .*uuid/,
  'google-cloud-storage': /random numbers .*uuid/,
  openai: /whom a run trusts/,
  anthropic: /random numbers .*uuid/,
  tqdm: /variables/,
  rich: /use random numbers/,
};

const INSTALLED = Object.values(PACKAGE_PROGRAMS).map(({ install }) => install);
const CACHE = join(import.meta.dirname, '../../dist/.test-packages');

/** A folder with all of them, and with the programs. Installed once for each list, and kept. */
function installed(): string {
  const name = createHash('sha256').update(INSTALLED.join()).digest('hex').slice(0, 16);
  const folder = join(CACHE, name);
  if (!existsSync(folder)) {
    const aside = `${folder}.${process.pid}`;
    const target = join(aside, '.deps');
    const words = ['--no-compile', '--only-binary', ':all:', '--quiet', '--target', target, ...INSTALLED];
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    execFileSync('python3', ['-m', 'pip', 'install', ...words], { stdio: 'pipe' });
    execFileSync('chmod', ['-R', 'a+rX', aside]);
    renameSync(aside, folder);
  }
  // Where pyarrow is installed pandas imports it, and so cannot be forked either.
  const others = join(folder, '.others');
  mkdirSync(others, { recursive: true });
  for (const name of readdirSync(join(folder, '.deps'))) {
    const link = join(others, name);
    if (!name.startsWith('pyarrow') && !existsSync(link)) symlinkSync(join('../.deps', name), link);
  }
  for (const [program, { source }] of Object.entries(PACKAGE_PROGRAMS)) {
    const own = join(folder, program);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'main.py'), source);
    chmodSync(own, 0o755);
  }
  return folder;
}

/** What does not depend on chance: addresses do, and what grpc tells of a connection that ends. */
const steady = (text: string): string =>
  text.replaceAll(/0x[\da-f]{6,}/g, '0x…').replaceAll(/^[IWE]\d{4} .*\n/gm, '');

describe('a script that was forked from a template', () => {
  let app = '';
  let cold: Sandbox;
  let forking: Sandbox;
  beforeAll(async () => {
    app = installed();
    cold = await openSandbox({ warmInterpreters: false, maxSlots: 1 });
  }, 600_000);
  afterAll(() => cold?.close());

  // One of its own for each: a template that was refused is tried again later, and would count for the next package.
  beforeEach(async () => {
    forking = await openSandbox({ maxSlots: 1, templates: { enough: 1 } });
  });
  afterEach(() => forking.close());

  async function observe(sandbox: Sandbox, name: string) {
    const box = sandbox.run({
      argv: ['python3', `${name}/main.py`],
      app,
      env: {
        PYTHONUNBUFFERED: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONPATH: name === 'pyarrow' ? '/app/.deps' : '/app/.others',
      },
      timeoutMs: 60_000,
      template: name,
    });
    try {
      const { code, signal, outOfMemory, timedOut, forked, stdout, stderr } = await finish(box);
      const files: unknown[] = [];
      for await (const { path, size } of box.outputs()) files.push([path, size]);
      const end = { code, signal, outOfMemory, timedOut, files };
      return { forked, end: { ...end, stdout: steady(stdout), stderr: steady(stderr) } };
    } finally {
      await box.dispose();
    }
  }

  it.each(Object.keys(PACKAGE_PROGRAMS))(
    'does what it would do otherwise, with %s',
    async (name) => {
      const expected = await observe(cold, name);
      await settled(forking, () => observe(forking, name), 60_000);
      const { reason } = forking.templateState!;
      if (REFUSED[name]) expect(reason).toMatch(REFUSED[name]);
      else expect(reason).toBe(null);
      // The second of a template shows what the first has left.
      for (let round = 0; round < 2; round++) {
        const found = await observe(forking, name);
        expect(found.end).toEqual(expected.end);
        expect(found.forked).toBe(!REFUSED[name]);
      }
    },
    180_000,
  );
});
