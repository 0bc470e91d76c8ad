import { Logger, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { inspectArchive } from '../../../libs/archive/index.js';
import { archiveOf } from '../../../libs/testing/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { ExtensionsModule } from '../../core/extensions/index.js';
import { CommandDetectionService } from './command-detection.service.js';
import { Runtime, type RuntimeProvider, type ScriptFolder } from './runtime.js';
import { ScriptRuntimes } from './script-runtimes.js';

@Runtime('first')
class First implements RuntimeProvider {
  readonly program: string = 'perl';
  readonly looksFor: string = 'main.pl';
  detect({ files }: ScriptFolder): string | null | Promise<string | null> {
    return files.includes('main.pl') ? 'perl main.pl' : null;
  }
}

@Runtime('second')
class Second implements RuntimeProvider {
  readonly program: string = 'ruby';
  readonly looksFor: string = 'what its name.txt names';
  async detect({ files, read }: ScriptFolder): Promise<string | null> {
    if (files.includes('again.txt')) return 'ruby again';
    return (await read('name.txt'))?.trim() ?? null;
  }
}

/** The first one with something else in it. */
function firstWith(fields: Partial<RuntimeProvider>): Type {
  @Runtime('first')
  class Other extends First {
    constructor() {
      super();
      Object.assign(this, fields);
    }
  }
  return Other;
}

describe('the command of a version that has none', () => {
  const logged: string[] = [];

  beforeEach(() => {
    logged.length = 0;
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void logged.push(String(text)));
  });

  afterEach(() => vi.restoreAllMocks());

  async function detect(files: Record<string, string>, runtimes: Type[] = [First, Second]): Promise<string> {
    const providers = [CommandDetectionService, ScriptRuntimes, ...runtimes];
    const imports = [DiscoveryModule, ExtensionsModule.of([])];
    const app = await Test.createTestingModule({ imports, providers }).compile();
    await app.init();
    return app.get(CommandDetectionService).commandOf(await inspectArchive(await archiveOf(files)));
  }

  it.each<[Record<string, string>, string]>([
    [{ 'main.pl': '', 'main.py': '' }, 'python main.py'],
    [{ 'main.pl': '', 'run.sh': '' }, 'bash run.sh'],
    [{ 'main.pl': '', 'again.txt': '' }, 'perl main.pl'],
    [{ 'again.txt': '' }, 'ruby again'],
    [{ 'name.txt': 'ruby {city}\n' }, 'ruby {city}'],
  ])('of %j is %s', async (files, command) => {
    expect(await detect(files)).toBe(command);
  });

  it('is refused with all that was looked for, and as ever where there are no runtimes', async () => {
    const looked =
      'Looked for main.py, app.py, a lone *.py, package.json (scripts.start, main), index.js|mjs|ts, main.js|mjs|ts, run.sh and main.sh at the top of the folder.';
    const others =
      'The runtime first looked for main.pl. The runtime second looked for what its name.txt names.';
    await expect(detect({ 'main.rb': '' })).rejects.toThrow(`${looked} ${others} Add one of them`);
    await expect(detect({ 'main.rb': '' }, [])).rejects.toThrow(`${looked} Add one of them`);
  });

  it('is not asked for elsewhere where Gatehouse finds one that cannot be run', async () => {
    await expect(detect({ 'main.pl': '', 'package.json': '{' })).rejects.toThrow('not valid JSON');
  });

  it.each([
    ['cannot be read', 'perl "main.pl', 'the runtime first worked out cannot be used'],
    ['is too long', `perl ${'x'.repeat(2000)}`, 'longer than 2000 characters'],
  ])('is the folder’s mistake where what is made of it %s', async (_, command, words) => {
    await expect(detect({ 'main.pl': '' }, [firstWith({ detect: () => command })])).rejects.toMatchObject({
      details: [{ path: 'command', message: expect.stringContaining(words) }],
    });
  });

  it('is refused in the words of a runtime that refuses the folder', async () => {
    const refuses = firstWith({ detect: () => Promise.reject(new InvalidRequest('main.pl is Perl 4.')) });
    await expect(detect({ 'main.pl': '' }, [refuses])).rejects.toThrow('main.pl is Perl 4.');
  });

  it.each<[string, RuntimeProvider['detect']]>([
    ['throws', () => Promise.reject(new Error('s3cret'))],
    ['gives a command of another program', () => 'sh main.pl'],
    ['gives nothing at all', () => undefined as never],
  ])('is not to be had while a runtime %s', async (_, other) => {
    await expect(detect({ 'main.pl': '' }, [firstWith({ detect: other }), Second])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The runtime first could not say how this folder is run.'),
    });
    expect(logged).toEqual([expect.stringMatching(/^The runtime first could not .*Error at /)]);
    expect(logged.join()).not.toContain('s3cret');
  });

  it('is not waited for, once a runtime has hung for its time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const hangs = firstWith({
        detect: () => {
          setImmediate(() => vi.advanceTimersByTime(5_000));
          return new Promise(() => undefined);
        },
      });
      await expect(detect({ 'main.pl': '' }, [hangs])).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, Type[], string]>([
    ['two runtimes have one name', [First, firstWith({})], '"first" is there twice'],
    ['a program has a path', [firstWith({ program: '/opt/perl' })], 'needs the name of a program'],
    ['nothing says what is looked for', [firstWith({ looksFor: '' })], 'has to say in a line'],
  ])('cannot be worked out where %s: that stops the start', async (_, runtimes, words) => {
    await expect(detect({ 'main.py': '' }, runtimes)).rejects.toThrow(words);
  });
});
