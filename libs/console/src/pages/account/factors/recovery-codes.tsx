import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';

import { CopyButton } from '../../../kit/copy-button.js';
import { FormDialog } from '../../../kit/form-dialog.js';

/** Codes that the service shows this one time. */
export function RecoveryCodes({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  return (
    <FormDialog title="Your recovery codes" opened={codes !== null} onClose={onClose} closeOnEscape={false}>
      <Stack>
        <Alert color="yellow" variant="light" title="These codes are shown once">
          Print them, or keep them where you keep passwords. Each signs you in once, should you lose your
          device.
        </Alert>
        <Code block>{codes?.join('\n')}</Code>
        <Group justify="space-between">
          <CopyButton value={codes?.join('\n') ?? ''} label="Copy the codes" />
          <Button onClick={onClose}>I have kept them</Button>
        </Group>
        <Text size="sm" c="dimmed">
          You can have new ones made at any time, which makes these useless.
        </Text>
      </Stack>
    </FormDialog>
  );
}
