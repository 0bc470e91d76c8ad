import { inlineText } from '../../approvals/index.js';

/** What approving to publish a version does. */
export function publishSummary({ name, slug }: { name: string; slug: string }, version: number): string {
  return `Publish version ${version} of the script ${inlineText(name)} (${slug}): runs use it from then on.`;
}
