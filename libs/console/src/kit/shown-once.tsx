import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CopyButton } from './copy-button.js';

interface ShownOnceProps {
  value: string;
  /** What it is: `token`. */
  name: string;
  /** What to do with it. */
  children?: ReactNode;
}

/** A secret that the service shows this one time. */
export function ShownOnce({
  value,
  name,
  children = 'Keep it now where you need it. It cannot be shown again.',
}: ShownOnceProps) {
  return (
    <Alert color="yellow" variant="light" title={`This ${name} is shown once`}>
      <Stack gap="xs">
        <Text size="sm">{children}</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
          <CopyButton value={value} label={`Copy the ${name}`} />
        </Group>
      </Stack>
    </Alert>
  );
}
