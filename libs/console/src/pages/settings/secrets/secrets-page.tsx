import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { Page } from '../../../kit/page.js';
import { useEnvironmentName } from '../use-environment-name.js';
import { lastUsed } from './last-used.js';
import { SecretForm } from './secret-form.js';
import { type SecretRow, useSecrets } from './use-secrets.js';

export function SecretsPage() {
  const place = usePlace();
  const environment = useEnvironmentName();
  const [opened, dialog] = useDisclosure();
  const query = useSecrets();
  const columns = useMemo(
    (): Column<SecretRow>[] => [
      {
        id: 'name',
        header: 'Secret',
        cell: ({ name, kind, allowEnv }) => (
          <>
            <Anchor
              fw={600}
              size="sm"
              ff="monospace"
              style={{ overflowWrap: 'anywhere' }}
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/settings/secrets/$name"
                  params={{ ...place, name }}
                  {...props}
                />
              )}
            >
              {name}
            </Anchor>
            {kind !== 'text' && (
              <Text size="xs" c="dimmed">
                {kind === 'aws' ? 'AWS keys' : 'Sign-in to PostgreSQL'}
              </Text>
            )}
            {allowEnv && (
              <Text size="xs" c="dimmed">
                scripts may read it
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'environments',
        header: 'Has a value in',
        cell: ({ values }) => (
          <Group gap={4}>
            {values.map((value) => (
              <Badge
                key={value.environment}
                variant={value.environment === environment ? 'light' : 'default'}
                color="gray"
                c="var(--mantine-color-text)"
                radius="sm"
                tt="none"
                fw={500}
              >
                {value.environment}
              </Badge>
            ))}
          </Group>
        ),
      },
      {
        id: 'used',
        header: 'Last used',
        align: 'right',
        cell: ({ values }) => {
          const at = lastUsed(values);
          return at === null ? 'never used' : <Moment at={at} />;
        },
      },
    ],
    [place, environment],
  );
  return (
    <Page
      title="Secrets"
      description="Keys and passwords that scripts need. A value is written, never shown again, and sent only to the hosts that you name."
      actions={<Button onClick={dialog.open}>New secret</Button>}
    >
      <Listing
        label="Secrets"
        query={query}
        columns={columns}
        empty={
          <Empty title="No secret yet">
            Make one, such as an API key, and name the hosts that it may be sent to. A script then uses it
            without ever seeing it.
          </Empty>
        }
      />
      <FormDialog title="New secret" opened={opened} onClose={dialog.close}>
        <SecretForm environment={environment} onClose={dialog.close} />
      </FormDialog>
    </Page>
  );
}
