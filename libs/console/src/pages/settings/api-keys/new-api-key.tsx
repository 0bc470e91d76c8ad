import { apiKeysCreate } from '@gatehouse/client/operations';
import { environmentsListOptions } from '@gatehouse/client/react-query';
import { Button, Group, NativeSelect, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { LIFETIMES, expiryOf } from '../../account/tokens/expiry.js';
import { ScopePicker } from '../../account/tokens/scope-picker.js';
import type { Scope } from '../../account/tokens/scope-words.js';

interface Values {
  name: string;
  environment: string | null;
  /** null: all that an admin may. */
  scopes: Scope[] | null;
  lifetime: string;
}

const NEW: Values = { name: '', environment: null, scopes: null, lifetime: '365' };

export function NewApiKey({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const environments = useQuery(environmentsListOptions({ query: { limit: 100 } }));
  const form = useForm<Values>({ initialValues: NEW, validate: { scopes: needsOneUnlessAll } });
  const { scopes } = form.values;
  const making = useMutation({
    mutationFn: ({ lifetime, ...values }: Values) =>
      apiKeysCreate({ body: { ...values, expiresAt: expiryOf(lifetime, new Date()) } }),
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
      onSubmit={() => {
        if (!form.validate().hasErrors) making.mutate(form.values);
      }}
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
      <NativeSelect
        label="It ends after"
        description="A week before, this list says so, and a mail where the operator has set mail up."
        data={LIFETIMES}
        {...form.getInputProps('lifetime')}
      />
      <Radio.Group
        label="What it may do"
        value={scopes === null ? 'all' : 'some'}
        onChange={(value) => form.setFieldValue('scopes', value === 'all' ? null : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All that an admin may, except to connect by MCP" />
          <Radio value="some" label="Only this" />
        </Stack>
      </Radio.Group>
      {scopes !== null && (
        <ScopePicker
          scopes={scopes}
          onScopes={(chosen) => form.setFieldValue('scopes', chosen)}
          error={form.errors['scopes'] as string | undefined}
        />
      )}
    </DialogForm>
  );
}

function needsOneUnlessAll(scopes: Scope[] | null): string | null {
  return scopes?.length === 0 ? 'Choose at least one.' : null;
}
