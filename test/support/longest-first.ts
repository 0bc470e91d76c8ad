import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The faults before all else: they mostly wait, for leases that run out and processes that come back, so that what needs
 * the processors goes on beside them, and nothing is waited for at the end. Otherwise as Vitest has it, the longest first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('.faults.ts');
    const begins = sorted.findIndex(({ project }) => project.name === 'e2e');
    const [before, e2e] = [sorted.slice(0, begins), sorted.slice(begins)];
    return [...before, ...e2e.filter(waits), ...e2e.filter((file) => !waits(file))];
  }
}
