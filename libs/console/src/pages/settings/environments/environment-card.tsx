import { type Environment, environmentsUpdate } from '@gatehouse/client/operations';
import { environmentsGetOptions } from '@gatehouse/client/react-query';
import { Badge, Card, Group, List, Menu, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { RowMenu } from '../../../kit/row-menu.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { DeleteEnvironment } from './delete-environment.js';
import { EnvironmentForm } from './environment-form.js';
import { AGENTS_ALLOWED, AGENTS_REFUSED, POLICY_LABELS } from './policies.js';
import { usageText } from './usage-text.js';

export function EnvironmentCard({ environment }: { environment: Environment }) {
  const { name, isDefault, approvalPolicy, agentsAllowed, runsOn } = environment;
  const { administers } = useRights();
  const { data } = useQuery(environmentsGetOptions({ path: { idOrName: environment.id } }));
  return (
    <Card withBorder padding="md" component="article" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <Title order={2} className="user-text">
            {name}
          </Title>
          {isDefault && (
            <Badge variant="default" tt="none" fw={500}>
              default
            </Badge>
          )}
        </Group>
        {administers && <EnvironmentActions environment={environment} />}
      </Group>
      <List size="sm" mt="xs" spacing={2}>
        <List.Item>{POLICY_LABELS[approvalPolicy]}</List.Item>
        <List.Item>{agentsAllowed ? AGENTS_ALLOWED : AGENTS_REFUSED}</List.Item>
        {runsOn.length > 0 && <List.Item>Runs go to workers with {runsOn.join(', ')}</List.Item>}
      </List>
      <Text size="sm" c="dimmed" mt="xs" mih="1.4em">
        {data && usageText(data.usage)}
      </Text>
    </Card>
  );
}

function EnvironmentActions({ environment }: { environment: Environment }) {
  const { id, name, isDefault } = environment;
  const [shown, setShown] = useState<'form' | 'deletion' | null>(null);
  const refresh = useRefresh();
  const close = (): void => setShown(null);
  const read = (): void => void refresh('environmentsList', 'environmentsGet');
  const makeDefault = useMutation({
    mutationFn: () => environmentsUpdate({ path: { idOrName: id }, body: { isDefault: true } }),
    onSuccess: () => {
      read();
      notifyDone(`${name} is the default environment now.`);
    },
    onError: notifyProblem,
  });
  return (
    <>
      <RowMenu label={`Actions for ${name}`}>
        <Menu.Item onClick={() => setShown('form')}>Edit</Menu.Item>
        {!isDefault && <Menu.Item onClick={() => makeDefault.mutate()}>Make it the default</Menu.Item>}
        {!isDefault && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setShown('deletion')}>
            Delete
          </Menu.Item>
        )}
      </RowMenu>
      <FormDialog title={`Edit ${name}`} opened={shown === 'form'} onClose={close}>
        <EnvironmentForm
          environment={environment}
          submitLabel="Save"
          save={(body) => environmentsUpdate({ path: { idOrName: id }, body })}
          onSaved={read}
          onClose={close}
        />
      </FormDialog>
      <FormDialog title={`Delete the environment ${name}?`} opened={shown === 'deletion'} onClose={close}>
        <DeleteEnvironment environment={environment} onClose={close} />
      </FormDialog>
    </>
  );
}
