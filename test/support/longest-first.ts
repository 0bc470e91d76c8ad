import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What starts many services, or waits for leases to run out. Begun first, these files fill the time of the others; begun
 * last, they would be waited for.
 */
const LONG = [
  'test/faults/',
  'test/e2e/master-key',
  'test/e2e/first-run',
  'test/e2e/several-processes',
  'test/e2e/mail',
  'test/e2e/usage',
  'test/e2e/builds',
  'test/e2e/webhooks/failures',
  'test/security/starvation',
  'test/security/long-answers',
  'test/security/gate-',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const index = LONG.findIndex((part) => moduleId.includes(`/${part}`));
  return index < 0 ? LONG.length : index;
};

/** The order in which Vitest begins the files of a project. */
export class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    return sorted.sort((one, other) => group(one) - group(other) || rank(one) - rank(other));
  }
}
