import { shown } from '../../approvals/shown.js';

/** What approving to publish a version does. */
export function publishSummary({ name, slug }: { name: string; slug: string }, version: number): string {
  return `Publish version ${version} of the script ${shown(name)} (${slug}): runs use it from then on.`;
}
