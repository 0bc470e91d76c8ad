import { type Secret, type SecretValue, secretsDelete } from '@gatehouse/client/operations';
import { environmentsListOptions } from '@gatehouse/client/react-query';
import { Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Section } from '../../../kit/section.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { SecretForm } from './secret-form.js';

/** Each environment, with or without a value. */
export function SecretValues({ secret }: { secret: Secret }) {
  const { data } = useQuery(environmentsListOptions({ query: { limit: 100 } }));
  const names =
    data?.items.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)).map(({ name }) => name) ??
    secret.values.map(({ environment }) => environment);
  return (
    <Section title="Values" description="Each environment has its own, with its own hosts.">
      <Stack gap="xs">
        {names.map((environment) => (
          <ValueCard
            key={environment}
            secret={secret}
            environment={environment}
            value={secret.values.find((value) => value.environment === environment)}
          />
        ))}
      </Stack>
    </Section>
  );
}

interface ValueCardProps {
  secret: Secret;
  environment: string;
  value: SecretValue | undefined;
}

function ValueCard({ secret, environment, value }: ValueCardProps) {
  const [opened, dialog] = useDisclosure();
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="sm">
        <Box style={{ flex: '1 1 14rem', minWidth: 0 }}>
          <Text fw={600} size="sm" className="user-text">
            {environment}
          </Text>
          {value ? (
            <>
              <Text size="sm" className="user-text">
                {value.hosts.length > 0 ? `Sent to ${value.hosts.join(', ')}` : 'Sent to no host'}
              </Text>
              {value.source !== undefined && (
                <Text size="sm" className="user-text">
                  Read from {value.source} when a run needs it: {value.reference}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                Set <Moment at={value.updatedAt} />,{' '}
                {value.lastUsedAt ? (
                  <>
                    last used <Moment at={value.lastUsedAt} />
                  </>
                ) : (
                  'never used'
                )}
              </Text>
            </>
          ) : (
            <Text size="sm" c="dimmed">
              No value
            </Text>
          )}
        </Box>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={value ? `Replace the value in ${environment}` : `Set a value in ${environment}`}
            onClick={dialog.open}
          >
            {value ? 'Replace' : 'Set a value'}
          </Button>
          {value && <DeleteValue secret={secret} environment={environment} />}
        </Group>
      </Group>
      <FormDialog title={`Value of ${secret.name}`} opened={opened} onClose={dialog.close}>
        <SecretForm environment={environment} secret={secret} value={value} onClose={dialog.close} />
      </FormDialog>
    </Card>
  );
}

function DeleteValue({ secret, environment }: { secret: Secret; environment: string }) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const isLast = secret.values.length === 1;
  const deletion = useMutation({
    mutationFn: () =>
      secretsDelete({ path: { name: secret.name }, headers: { 'x-environment': environment } }),
    onSuccess: async () => {
      if (isLast) await navigate({ to: '/w/$workspace/$environment/settings/secrets', params: place });
      await refresh('secretsList');
      if (!isLast) await refresh('secretsGet');
      notifyDone(`${secret.name} has no value in ${environment} any more.`);
    },
    onError: notifyProblem,
  });
  return (
    <DestroyButton
      quiet
      loading={deletion.isPending}
      label={`Delete the value in ${environment}`}
      onClick={() =>
        confirmDestruction({
          title: `Delete the value of ${secret.name} in ${environment}?`,
          children: isLast
            ? 'It is the last one, and the secret goes with it. Runs that need it fail from now on.'
            : `Runs in ${environment} that need it fail from now on. The other environments keep theirs.`,
          confirm: 'Delete the value',
          onConfirm: () => deletion.mutate(),
        })
      }
    >
      Delete
    </DestroyButton>
  );
}
