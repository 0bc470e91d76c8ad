import type { RunVersionCounts } from '@gatehouse/client/operations';
import { Text } from '@mantine/core';

import { SuccessRate } from '../success-rate.js';

/** How the runs of a version went, or that there were none. */
export function VersionRuns({ counts }: { counts: RunVersionCounts | null | undefined }) {
  if (counts === undefined) return null;
  const { successRate, succeeded, failed, other } = counts ?? NONE;
  const isBad = successRate !== null && successRate < 0.9;
  return (
    <Text span size="sm" c={isBad ? 'var(--mantine-color-error)' : undefined}>
      <SuccessRate rate={successRate} runs={succeeded + failed + other} />
    </Text>
  );
}

const NONE = { successRate: null, succeeded: 0, failed: 0, other: 0 };
