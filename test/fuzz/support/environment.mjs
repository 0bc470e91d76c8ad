import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const REQUIREMENTS = resolve('test/fuzz/requirements.txt');

/** The program `schemathesis` in a virtual environment of its own, made where it is missing or of other requirements. */
export async function ensureSchemathesis() {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  const directory = resolve('node_modules/.cache/fuzz');
  const stamp = join(directory, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.log('Installing Schemathesis …');
    rmSync(directory, { recursive: true, force: true });
    python('-m', 'venv', directory);
    execFileSync(
      join(directory, 'bin/python'),
      [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--require-hashes',
        '-r',
        REQUIREMENTS,
      ],
      { stdio: 'inherit' },
    );
    writeFileSync(stamp, wanted);
  }
  return join(directory, 'bin/schemathesis');
}

function python(...args) {
  try {
    execFileSync('python3', args, { stdio: 'inherit' });
  } catch (error) {
    throw new Error('Fuzzing needs Python 3.10 or newer with its venv module (on Debian: python3-venv).', {
      cause: error,
    });
  }
}
