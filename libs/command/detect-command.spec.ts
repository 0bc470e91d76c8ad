import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../invalid-input/index.js';
import { detectCommand, refuseWithoutCommand } from './detect-command.js';
import { parseCommand } from './parse-command.js';
import { renderCommand } from './render-command.js';

function detect(files: string[], manifest?: object | string, nodeVersion = '20.20.2'): string {
  const packageJson =
    manifest === undefined ? undefined : typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const folder = {
    files: packageJson === undefined ? files : [...files, 'package.json'],
    packageJson,
    nodeVersion,
  };
  return detectCommand(folder) ?? refuseWithoutCommand(folder);
}

function refusal(...args: Parameters<typeof detect>): { path: string; message: string } {
  try {
    detect(...args);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    return (error as InvalidInput).details![0]!;
  }
  throw new Error('accepted');
}

describe('detectCommand', () => {
  it.each<[string[], string]>([
    [['main.py', 'app.py', 'x.py', 'index.js'], 'python main.py'],
    [['app.py', 'x.py', 'run.sh'], 'python app.py'],
    [['report.py', 'lib/util.py', 'index.js'], 'python report.py'],
    [['a.py', 'b.py', 'index.js'], 'node index.js'],
    [['index.mjs', 'main.js'], 'node index.mjs'],
    [['main.js', 'main.mjs', 'run.sh'], 'node main.js'],
    [['run.sh', 'main.sh'], 'bash run.sh'],
    [['main.sh'], 'bash main.sh'],
    [['my report.py'], `python 'my report.py'`],
    [['-c.py'], 'python ./-c.py'],
    [['{x}.py'], `python '{{x}}.py'`],
  ])('finds in %j: %s', (files, command) => expect(detect(files)).toBe(command));

  it('takes scripts.start, then main, before index.js', () => {
    expect(detect(['index.js', 'a.js'], { scripts: { start: 'node a.js --x' }, main: 'index.js' })).toBe(
      'node a.js --x',
    );
    expect(detect(['index.js', 'a.js'], { scripts: { test: 'x' }, main: './a.js' })).toBe('node a.js');
    expect(detect(['index.js', 'lib/index.js'], { main: 'lib/' })).toBe('node lib/index.js');
    expect(detect(['index.js', 'a.js'], { main: 'a' })).toBe('node a.js');
    expect(detect(['index.js'], { main: 'gone.js' })).toBe('node index.js');
    expect(detect(['index.js'], { main: '../../etc/passwd' })).toBe('node index.js');
    expect(detect(['main.py'], { scripts: { start: 'node a.js' } })).toBe('python main.py');
  });

  it('hands scripts.start to a shell only where it is written for one', () => {
    const start = (text: string) => renderCommand(parseCommand(detect([], { scripts: { start: text } })), {});
    expect(start(`node -e 'console.log({a: [1]})'`)).toEqual(['sh', '-c', `node -e 'console.log({a: [1]})'`]);
    expect(start(`node x.js '{"a": [1]}'`)).toEqual(['node', 'x.js', '{"a": [1]}']);
    expect(start('NODE_ENV=production node x.js && echo "$HOME"')).toEqual([
      'sh',
      '-c',
      'NODE_ENV=production node x.js && echo "$HOME"',
    ]);
    expect(refusal([], { scripts: { start: 'node "x' } }).message).toContain('scripts.start');
    expect(refusal([], { scripts: { start: `node ${'x'.repeat(2000)}` } }).message).toContain('2000');
  });

  it('runs TypeScript where Node can, and says so where it cannot', () => {
    expect(detect(['index.ts'], undefined, 'v24.1.0')).toBe('node index.ts');
    expect(detect(['main.ts'], undefined, '22.18.0')).toBe('node main.ts');
    expect(detect(['index.ts'], undefined, '22.6.0')).toBe('node --experimental-strip-types index.ts');
    expect(detect(['index.ts'], undefined, '23.5.0')).toBe('node --experimental-strip-types index.ts');
    for (const version of ['20.20.2', 'v22.5.1']) {
      const { path, message } = refusal(['index.ts'], undefined, version);
      expect(path).toBe('command');
      expect(message).toMatch(/index\.ts.*22\.6.*index\.js/);
    }
  });

  it('says what was looked for and what to add', () => {
    const { path, message } = refusal(['README.md']);
    expect(path).toBe('command');
    for (const name of [
      'main.py',
      'app.py',
      'a lone *.py',
      'package.json',
      'index.js',
      'main.js',
      'run.sh',
      '"command"',
    ]) {
      expect(message).toContain(name);
    }
    expect(refusal(['a.py', 'b.py']).message).toContain('2 *.py files');
    expect(refusal(['src/main.py']).message).toContain('src/main.py');
    expect(refusal([], { name: 'x' }).message).toContain('package.json has no scripts.start');
  });

  it('says besides what others looked for', () => {
    const folder = { files: ['main.rb'], nodeVersion: '20.20.2' };
    expect(detectCommand(folder)).toBeNull();
    expect(() => refuseWithoutCommand(folder, ['The runtime perl looked for main.pl.'])).toThrow(
      'at the top of the folder. The runtime perl looked for main.pl. Add one of them',
    );
  });

  it('refuses a package.json that is not JSON', () => {
    expect(refusal([], '{').path).toBe('archive');
    expect(refusal([], '[]').path).toBe('archive');
  });
});
