import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

interface Files {
  paths: string[];
  onlyInFull(globs: string[]): string[];
}
const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join('libs', 'bootstrap', 'gate', name)).href)) as T;
const { globsByPath, suitesOf, ownTests } = await load<{
  globsByPath(folders: string[]): string[];
  suitesOf(changed: string[], files: Files, budget: number): { chosen: string[]; cut: string[] };
  ownTests(changed: string[], files: Files, budget: number): string[];
}>('suites.mjs');
const { TestFiles } = await load<{ TestFiles: new () => Files }>('test-files.mjs');

const { BY_PATH } = await load<{ BY_PATH: string[] }>('../tests/selection.mjs');
const files = new TestFiles();
const ENOUGH = 100_000;

describe('tests of a change that npm test leaves out', () => {
  it.each([
    ['libs/console/src/main.tsx', 'test/browser/'],
    ['src/migrations/0099-new.ts', 'test/upgrades/'],
    ['src/runs/run.entity.ts', 'test/upgrades/'],
    ['src/runs/run.service.ts', 'test/faults/leases'],
    ['deploy/chart/Chart.yaml', 'test/chart/'],
    ['src/schedules/schedule.service.ts', 'test/faults/schedules'],
  ])('has for %s those of %s', (changed, of) => {
    const { chosen, cut } = suitesOf([changed], files, ENOUGH);
    expect(chosen.filter((path) => path.startsWith(of))).not.toEqual([]);
    expect(cut).toEqual([]);
  });

  it('are cut at the budget, the touched ones last', () => {
    const touched = 'test/browser/people.walk.ts';
    const { chosen, cut } = suitesOf([touched, 'libs/console/src/main.tsx'], files, 80);
    expect(chosen[0]).toBe(touched);
    expect(cut).not.toEqual([]);
    expect(suitesOf([touched, 'libs/console/src/main.tsx'], files, 1).cut).toContain(touched);
  });

  it('are none for a page of the guide', () => {
    expect(suitesOf(['docs/guide/README.md'], files, ENOUGH)).toEqual({ chosen: [], cut: [] });
  });
});

describe('tests that only a change of their own path runs', () => {
  it('are run by a change of some path', () => {
    const folders = readdirSync('src').map((name) => `src/${name}/a.ts`);
    const reached = new Set(files.onlyInFull(globsByPath(folders)));
    const chosen = files.onlyInFull(BY_PATH);
    expect(chosen.length).toBeGreaterThanOrEqual(BY_PATH.length);
    expect(chosen.filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe('tests of a change that are run first', () => {
  it('are the touched ones, then those beside and of the same name', () => {
    const chosen = ownTests(['src/schedules/schedule.service.ts', 'test/e2e/teams.e2e.ts'], files, ENOUGH);
    expect(chosen[0]).toBe('test/e2e/teams.e2e.ts');
    expect(chosen).toEqual(
      expect.arrayContaining(['src/schedules/cron/cron.fuzz.spec.ts', 'test/e2e/schedules.e2e.ts']),
    );
  });

  it('never include what npm test leaves out', () => {
    expect(
      ownTests(['libs/console/src/main.tsx'], files, ENOUGH).filter((path) => path.includes('walk')),
    ).toEqual([]);
  });
});
