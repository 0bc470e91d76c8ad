import { Alert, Code, Group, Stack, Text } from '@mantine/core';

import { CopyButton } from './copy-button.js';

/** A secret that the service shows this one time. */
export function ShownOnce({ value, name }: { value: string; name: string }) {
  return (
    <Alert color="yellow" variant="light" title={`This ${name} is shown once`}>
      <Stack gap="xs">
        <Text size="sm">Keep it now where you need it. It cannot be shown again.</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
          <CopyButton value={value} label={`Copy the ${name}`} />
        </Group>
      </Stack>
    </Alert>
  );
}
