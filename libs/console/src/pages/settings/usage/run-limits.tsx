import type { WorkspaceUsage } from '@gatehouse/client/operations';
import { Box, List, Text } from '@mantine/core';

import { runLimitLines } from './meters.js';

/** What a single run may use at most; nothing where the plan does not say. */
export function RunLimits({ eachRun }: Pick<WorkspaceUsage, 'eachRun'>) {
  const lines = runLimitLines(eachRun);
  if (lines.length === 0) return null;
  return (
    <Box>
      <Text fw={600} size="sm">
        Each run
      </Text>
      <List size="sm" my={4}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        The most that a run may use. A version that asks for more is refused.
      </Text>
    </Box>
  );
}
