import { Obstacle } from './project.mjs';

/**
 * Waits for all steps, even if one fails: nothing is left running behind its message.
 * @param {Promise<unknown>[]} steps
 * @throws {Obstacle} with the message of each step that failed, or the first error that is no obstacle
 */
export async function together(steps) {
  const results = await Promise.allSettled(steps);
  const reasons = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  // Steps that wait for the same other step fail with the same error.
  const errors = [...new Set(reasons)];
  const unexpected = errors.find((error) => !(error instanceof Obstacle));
  if (unexpected) throw unexpected;
  if (errors.length > 0) throw new Obstacle(errors.map(({ message }) => message).join('\n\n'));
}
