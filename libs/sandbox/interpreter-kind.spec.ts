import { describe, expect, it } from 'vitest';
import { callOf } from './handler-call.js';
import { kindOf as kindAmong } from './interpreter-kind.js';
import type { InterpreterKind } from './interpreter-kind.js';

const ENV = {
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  TOKEN: 'secret',
  PATH: '/runtime/bin:/usr/bin',
};

const kindOf = (argv: string[], env: Record<string, string>): InterpreterKind | null =>
  kindAmong(argv, env, ['python', 'python3', 'node']);

describe('what can be started ahead for a command', () => {
  it.each([
    ['python3 main.py'],
    ['python main.py'],
    ['python3 main.py -c x --y'],
    ['python3 tool/run.py'],
    ['python3 tool'],
    ['python3 a.b@1+2/x-y_z.py'],
    ['python3 .hidden.py'],
    ['node index.js'],
    ['node index.mjs --inspect'],
    ['node dist/index'],
  ])('a plain script: %s', (command) => {
    expect(kindOf(command.split(' '), ENV)).not.toBeNull();
  });

  it.each([
    ['python3'],
    ['python3 -m main'],
    ['python3 -u main.py'],
    ['python3 -O main.py'],
    ['python3 -c pass'],
    ['python3 -'],
    ['python3 /app/main.py'],
    ['python3 ./main.py'],
    ['python3 ../main.py'],
    ['python3 a/../main.py'],
    ['python3 a//main.py'],
    ['python3 a/./main.py'],
    ['python3 mäin.py'],
    [`python3 ${'x'.repeat(201)}`],
    ['/usr/bin/python3 main.py'],
    ['/runtime/bin/python3 main.py'],
    ['python3.11 main.py'],
    ['./python3 main.py'],
    ['bash main.sh'],
    ['env python3 main.py'],
    ['npm start'],
    ['constructor main.py'],
    ['node'],
    ['node --enable-source-maps index.js'],
    ['node -r ./x.js index.js'],
    ['node --test'],
    ['node -'],
    ['node -e 0'],
    ['node ./index.js'],
    ['nodejs index.js'],
  ])('nothing: %s', (command) => {
    expect(kindOf(command.split(' '), ENV)).toBeNull();
  });

  it.each<Record<string, string>>([
    { PYTHONPATH: '/app/lib:/app/.deps' },
    { PYTHONPATH: 'lib' },
    { PYTHONPATH: '/usr/lib' },
    { PYTHONPATH: '' },
    { PYTHONUNBUFFERED: '' },
    { PYTHONHASHSEED: '0' },
    { PYTHONUTF8: '0' },
    { PYTHONUSERBASE: '/app' },
    { PYTHONSTARTUP: '/app/x.py' },
    { HOME: '/app' },
    { LANG: 'de_DE.UTF-8' },
    { LC_ALL: 'C' },
    { TZ: 'Asia/Tokyo' },
    { PATH: '/app/bin:/usr/bin' },
    { LD_PRELOAD: '/app/x.so' },
    { LD_LIBRARY_PATH: '/app' },
    { MALLOC_ARENA_MAX: '1' },
    { GLIBC_TUNABLES: 'x' },
    { SETUPTOOLS_USE_DISTUTILS: 'stdlib' },
    { LARGE: 'x'.repeat(128 * 1024) },
    Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`LARGE${index}`, 'x'.repeat(100_000)])),
  ])('nothing with variables that are read at the start, or with more than can be started: %o', (env) => {
    expect(kindOf(['python3', 'main.py'], { ...ENV, ...env })).toBeNull();
  });

  it.each<Record<string, string>>([
    { NODE_OPTIONS: '--max-old-space-size=100' },
    { NODE_OPTIONS: '--use-openssl-ca --require ./x.js' },
    { NODE_OPTIONS: '' },
    { NODE_EXTRA_CA_CERTS: '/app/x.pem' },
    { NODE_V8_COVERAGE: '/tmp' },
    { UV_THREADPOOL_SIZE: '1' },
    { OPENSSL_CONF: '/app/x' },
    { TZ: 'Asia/Tokyo' },
  ])('nothing for Node with variables that it reads at the start: %o', (env) => {
    expect(kindOf(['node', 'index.js'], { ...ENV, ...env })).toBeNull();
  });

  it('keeps what makes Node trust the authority of a box with hosts', () => {
    const env = (own: Record<string, string>): string | undefined =>
      kindOf(['node', 'index.js'], { ...ENV, ...own })?.env['NODE_OPTIONS'];
    expect(env({ NODE_ENV: 'production' })).toBe('--require=/runtime/warm/node.cjs');
    expect(env({ NODE_OPTIONS: '--use-openssl-ca' })).toBe(
      '--use-openssl-ca --require=/runtime/warm/node.cjs',
    );
  });

  it.each(['python', 'python3', 'node'])('what calls a function of a file, by %s', (interpreter) => {
    const argv = callOf([interpreter, 'main'], { inputs: '/inputs/a.json' });
    expect(kindOf(argv, ENV)).not.toBeNull();
    expect(kindOf([interpreter, `${argv[1]}x`, 'main'], ENV)).toBeNull();
  });

  it('nothing for an interpreter that has not been tried', () => {
    expect(kindAmong(['python3', 'main.py'], ENV, ['node'])).toBeNull();
  });

  it('holds nothing of a run but what every run has', () => {
    const kind = kindOf(['python3', 'main.py', 'argument'], { ...ENV, OTHER: 'x' });
    expect(JSON.stringify(kind)).not.toMatch(/secret|TOKEN|OTHER|main|argument/);
    expect(kind?.env).toEqual({
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUSERBASE: '/runtime/warm',
    });
  });

  it('is the same for all scripts, and another for another name or another start', () => {
    const key = (name: string, script: string, env: Record<string, string>): string | undefined =>
      kindOf([name, script], env)?.key;
    expect(key('python3', 'a.py', ENV)).toBe(key('python3', 'b.py', { ...ENV, MORE: '1' }));
    expect(key('python3', 'a.py', ENV)).not.toBe(key('python', 'a.py', ENV));
    expect(key('python3', 'a.py', ENV)).not.toBe(key('python3', 'a.py', { TOKEN: 'x' }));
    expect(key('node', 'a.js', ENV)).toBe(key('node', 'b.cjs', ENV));
    expect(key('node', 'a.mjs', ENV)).toBe(key('node', 'b.mjs', ENV));
    expect(key('node', 'a.mjs', ENV)).not.toBe(key('node', 'a.js', ENV));
  });
});
