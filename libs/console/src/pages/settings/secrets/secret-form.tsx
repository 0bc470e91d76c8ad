import { type SecretInput, type SecretValue, secretsSet } from '@gatehouse/client/operations';
import { Alert, Button, Group, Stack, Switch, TagsInput, Text, TextInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

export interface SecretFormProps {
  /** Where the value is set. */
  environment: string | undefined;
  /** Left out for a new secret. */
  secret?: { name: string; allowEnv: boolean };
  /** What is replaced. */
  value?: SecretValue;
  onClose: () => void;
}

export function SecretForm({ environment, secret, value, onClose }: SecretFormProps) {
  const refresh = useRefresh();
  const form = useForm({
    initialValues: {
      name: secret?.name ?? '',
      value: '',
      hosts: value?.hosts ?? ([] as string[]),
      allowEnv: secret?.allowEnv ?? false,
    },
  });
  const setting = useMutation({
    mutationFn: ({ name, ...body }: SecretInput & { name: string }) =>
      secretsSet({ path: { name }, body, headers: environment ? { 'x-environment': environment } : {} }),
    onSuccess: async ({ data }) => {
      await refresh('secretsList', 'secretsGet', 'environmentsGet');
      if (data.warning !== undefined) return;
      notifyDone(`${data.name} has a value${environment ? ` in ${environment}` : ''}.`);
      onClose();
    },
  });
  const warning = setting.data?.data.warning;
  if (warning !== undefined) return <Warning text={warning} onClose={onClose} />;

  return (
    <DialogForm
      submitLabel={value ? 'Replace the value' : 'Set the value'}
      onSubmit={() => setting.mutate(form.values)}
      onCancel={onClose}
      busy={setting.isPending}
      error={setting.error}
      fields={['name', 'value', 'hosts', 'allowEnv']}
    >
      <Text size="sm">
        For the environment <b className="user-text">{environment}</b>. Runs that start from now on use it.
      </Text>
      {!secret && (
        <TextInput
          label="Name"
          description="Letters, digits and underscores, such as STRIPE_KEY."
          required
          maxLength={64}
          data-autofocus
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('name')}
          error={problemAt(setting.error, 'name')}
        />
      )}
      <Textarea
        label="Value"
        description="It cannot be read again, only replaced."
        required
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus={secret ? true : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('value')}
        error={problemAt(setting.error, 'value')}
      />
      <TagsInput
        label="Hosts"
        description="The only hosts that it is sent to. Press Enter after each: api.stripe.com, *.example.com, db.example.com:8443"
        splitChars={[',', ' ']}
        acceptValueOnBlur
        {...form.getInputProps('hosts')}
        error={problemAt(setting.error, 'hosts')}
      />
      <Switch
        label="Scripts may read it as an environment variable"
        description="Otherwise it is only attached to requests, and no script sees it. This holds in all environments."
        {...form.getInputProps('allowEnv', { type: 'checkbox' })}
        error={problemAt(setting.error, 'allowEnv')}
      />
    </DialogForm>
  );
}

function Warning({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" title="The value is set">
        {text}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
