import { type Authority, type HostAuthorities, hostAuthoritiesDelete } from '@gatehouse/client/operations';
import { Badge, Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AuthoritiesForm } from './authorities-form.js';

export function HostCard({ item: { host, certificates, updatedAt } }: { item: HostAuthorities }) {
  const { isOwner } = useRights();
  const [opened, dialog] = useDisclosure();
  const refresh = useRefresh();
  const deletion = useMutation({
    mutationFn: () => hostAuthoritiesDelete({ path: { host } }),
    onSuccess: async () => {
      await refresh('hostAuthoritiesList');
      notifyDone(`Certificates of ${host} are checked as if it had no authorities of its own.`);
    },
    onError: notifyProblem,
  });
  const askDeletion = (): void =>
    confirmDestruction({
      title: `Delete the authorities of ${host}?`,
      children: 'From the next run on its certificates are checked as if it had none of its own.',
      confirm: 'Delete them',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ flex: '1 1 14rem', minWidth: 0 }}>
          <Text fw={600} size="sm" className="user-text">
            {host}
          </Text>
          <Stack gap={4} mt={4}>
            {certificates.map((certificate) => (
              <Certificate key={certificate.fingerprint} certificate={certificate} />
            ))}
          </Stack>
          <Text size="sm" c="dimmed" mt={4}>
            Set <Moment at={updatedAt} />
          </Text>
        </Box>
        {isOwner && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Replace the authorities of ${host}`}
              onClick={dialog.open}
            >
              Replace
            </Button>
            <DestroyButton
              quiet
              label={`Delete the authorities of ${host}`}
              loading={deletion.isPending}
              onClick={askDeletion}
            >
              Delete
            </DestroyButton>
          </Group>
        )}
      </Group>
      <FormDialog title={`Replace the authorities of ${host}`} opened={opened} onClose={dialog.close}>
        <AuthoritiesForm host={host} onClose={dialog.close} />
      </FormDialog>
    </Card>
  );
}

function Certificate({
  certificate: { subject, fingerprint, validUntil, expired },
}: {
  certificate: Authority;
}) {
  return (
    <Box>
      <Group gap="xs">
        <Text size="sm" className="user-text">
          {subject}
        </Text>
        {expired && (
          <Badge color="red" variant="light" tt="none" fw={500}>
            expired
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {expired ? 'Expired' : 'Valid until'} {validUntil.slice(0, 10)} · SHA-256 {fingerprint}
      </Text>
    </Box>
  );
}
