import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { openSandbox } from './test/in-box.js';
import { observe, observeForked } from './test/programs/observe.js';
import { PYTHON_PROGRAMS } from './test/programs/python-programs.js';

/** Programs whose beginning cannot be imported before there is a run for them, and why. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  unraisablehook: /SyntaxError/, // The program is none.
  'a syntax error': /SyntaxError/,
  'an indentation error': /IndentationError/,
  'an invalid byte': /SyntaxError/,
  'a null byte': /ValueError/,
  'a missing module': /ModuleNotFoundError/,
  'a missing script': /FileNotFoundError/,
  'a folder with __main__': /not a plain file/,
  'a folder without __main__': /not a plain file/,
  'a name that is no Python': /not a plain file/,
  compiled: /not a plain file/,
  'installed modules: sitecustomize': /print/,
  'installed modules: usercustomize': /cannot be a template/,
  'installed modules: a module that the start needs': /cannot be a template/,
};

/** The template is another process of the box, and is not to be seen, as process 1 is not. */
const steady = (text: string): string =>
  text
    .replace(/^(status (?:NS)?[TP]P?gid:\t|status PPid:\t|status NStgid:\t)\d+$/gm, '$1…')
    .replace(/^ids \d+ \d+/m, 'ids …')
    .replace(/^processes .*$/m, 'processes …')
    .replace(/^mount \/proc\/[123] .*\n/gm, '')
    .replace(/^box .*$/gm, 'box …')
    .replace(/^(mount \/app .*\n)\1/m, '$1')
    .replace(/^(gc True .* \[\]) \d+ 0$/m, '$1 … 0');

describe('a Python that was forked for its run', () => {
  let cold: Sandbox;
  let forking: Sandbox;
  beforeAll(async () => {
    cold = await openSandbox({ warmInterpreters: false, maxSlots: 1 });
    forking = await openSandbox({ maxSlots: 1, templates: { enough: 1 } });
  });
  afterAll(async () => {
    await cold.close();
    await forking.close();
  });

  it.each(PYTHON_PROGRAMS.map((program) => [program.name, program] as const))(
    'cannot be told from one that was started for it: %s',
    async (name, program) => {
      const [expected, { reason, ...found }] = await Promise.all([
        observe(cold, 'python3', program),
        observeForked(forking, 'python3', program),
      ]);
      const refused = REFUSED[name];
      if (refused) expect(reason).toMatch(refused);
      else expect(reason).toBe(null);
      expect(found.forked).toBe(!refused);
      const alike = { startedAhead: null, forked: null, stdout: steady(expected.stdout) };
      expect({ ...found, ...alike, stdout: steady(found.stdout) }).toEqual({ ...expected, ...alike });
    },
  );
});
