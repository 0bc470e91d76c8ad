import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Sandbox } from '../../../libs/sandbox/index.js';
import { openSandbox } from '../../../libs/sandbox/test/in-box.js';
import type { ScriptRuntimes } from '../../scripts/index.js';
import type { BoxProvider } from './box-provider.js';
import { RuntimePrograms } from './runtime-programs.js';

describe('the programs of runtimes', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  const look = (program: string) => {
    const runtimes = { all: () => [['acme', { program }]] } as unknown as ScriptRuntimes;
    return new RuntimePrograms({ sandbox } as BoxProvider, runtimes).onApplicationBootstrap();
  };

  it('are there for the boxes of this worker', async () => {
    await expect(look('python3')).resolves.toBeUndefined();
  });

  it('stop the start where one is missing', async () => {
    await expect(look('cobol-2099')).rejects.toThrow(
      'The runtime acme needs cobol-2099, which no box of this machine finds.',
    );
  });
});
