import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of the files that take some, as `npm run test:full` has measured them last. */
const recorded = JSON.parse(readFileSync(new URL('test-times.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>;

/** Files of one project follow each other, so that they can share a process. Those of the last are short: they fill the end. */
const PROJECTS = ['e2e', 'examples', 'chart', 'components', 'unit', 'container'];

const rank = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name);
const seconds = ({ project, moduleId }: TestSpecification): number =>
  recorded[relative(project.config.root, moduleId)] ?? 0;

/** The order in which Vitest begins files: what is begun last is waited for, so the longest begin first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other) || seconds(other) - seconds(one));
  }
}
