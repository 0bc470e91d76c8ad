import { type ApiKeyInput, apiKeysCreate } from '@gatehouse/client/operations';
import { environmentsListOptions } from '@gatehouse/client/react-query';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';

import { useConfirmed } from '../../../kit/confirm-password.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useRefresh } from '../../../kit/use-refresh.js';

const create = (body: ApiKeyInput) => apiKeysCreate({ body });

export function NewApiKey({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const environments = useQuery(environmentsListOptions({ query: { limit: 100 } }));
  const form = useForm({ initialValues: { name: '', environment: null as string | null } });
  const confirmedCreate = useConfirmed(create);
  const making = useMutation({
    mutationFn: confirmedCreate,
    onSuccess: () => refresh('apiKeysList'),
  });
  if (making.data) {
    return (
      <Stack>
        <ShownOnce value={making.data.data.key} name="API key" />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <DialogForm
      submitLabel="Make the key"
      onSubmit={() => making.mutate(form.values)}
      onCancel={onClose}
      busy={making.isPending}
      error={making.error}
      fields={['name', 'environment']}
    >
      <TextInput
        label="Name"
        description="What the key is for."
        placeholder="Nightly pipeline"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
        error={problemAt(making.error, 'name')}
      />
      <Select
        label="Environment"
        description="A key that is bound to one can do nothing in the others."
        placeholder="All environments"
        clearable
        clearButtonProps={{ 'aria-label': 'All environments' }}
        data={environments.data?.items.map(({ name }) => name) ?? []}
        {...form.getInputProps('environment')}
        error={problemAt(making.error, 'environment')}
      />
    </DialogForm>
  );
}
