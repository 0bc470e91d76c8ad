import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Part {
  name: string;
  files: string[];
}

const { chooseParts } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'check', 'parts.mjs')).href
)) as {
  chooseParts(names: string[], changed: string[] | null): Part[];
};
const namesOf = (changed: string[] | null): string[] => chooseParts([], changed).map(({ name }) => name);

describe('the parts of a check', () => {
  it('are those that a changed file concerns', () => {
    expect(namesOf(['README.md'])).toEqual(['format']);
    expect(namesOf(['test/e2e/teams.e2e.ts'])).toEqual(['lint', 'format', 'types', 'circles']);
    expect(namesOf(['libs/console/src/main.tsx'])).toEqual(['lint', 'format', 'types', 'circles', 'sizes']);
    expect(namesOf(['src/runs/run.entity.ts'])).toEqual(
      expect.arrayContaining(['types', 'schema', 'client', 'extension']),
    );
    expect(namesOf([])).toEqual([]);
  });

  it('are all once what settles them has changed, or where nothing can be compared', () => {
    expect(namesOf(['eslint.config.js'])).toEqual(namesOf(null));
    expect(namesOf(null)).toContain('sizes');
  });

  it('are those that are named, and look at what is there of the changed files', () => {
    expect(
      chooseParts(['lint'], ['README.md', 'eslint.config.js.gone', 'vitest.config.ts', 'gone.ts']),
    ).toMatchObject([{ name: 'lint', files: ['vitest.config.ts'] }]);
    expect(chooseParts(['lint'], null)).toMatchObject([{ name: 'lint', files: ['.'] }]);
  });
});

describe('changedFiles', () => {
  let directory: string;
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
  const commit = (): string =>
    git('add', '--all') +
    git('-c', 'user.name=A test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '--message=One');
  const write = (name: string): void => writeFileSync(join(directory, name), name);
  const changed = (): unknown => {
    const module = pathToFileURL(resolve('libs', 'bootstrap', 'check', 'changes.mjs')).href;
    const program = `import { changedFiles } from '${module}'; console.log(JSON.stringify(changedFiles()));`;
    const args = ['--input-type=module', '-e', program];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: directory, encoding: 'utf8' }));
  };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-changes-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are those of the branch, and those that are not committed', () => {
    git('init', '--quiet', '--initial-branch=main');
    for (const name of ['same.ts', 'gone.ts', 'edited.ts']) write(name);
    commit();
    git('checkout', '--quiet', '-b', 'change');
    write('committed.ts');
    commit();
    write('new file.ts');
    writeFileSync(join(directory, 'edited.ts'), 'otherwise');
    rmSync(join(directory, 'gone.ts'));
    expect(changed()).toEqual(['committed.ts', 'edited.ts', 'gone.ts', 'new file.ts']);
  });

  it('are not known without a branch to compare with', () => {
    mkdirSync(join(directory, '.git'));
    expect(changed()).toBeNull();
  });
});
