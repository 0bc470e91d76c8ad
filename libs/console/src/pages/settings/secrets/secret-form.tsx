import { type Secret, type SecretInput, type SecretValue, secretsSet } from '@gatehouse/client/operations';
import { Alert, Button, Group, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { SourceFields } from './source-fields.js';
import { contentOf, type TypedValue } from './typed-value.js';
import { ValueFields } from './value-fields.js';

export interface SecretFormProps {
  /** Where the value is set. */
  environment: string | undefined;
  /** Left out for a new secret. */
  secret?: Pick<Secret, 'name' | 'kind' | 'allowEnv'>;
  /** What is replaced. */
  value?: SecretValue;
  /** It has the value now. */
  onSet?: (secret: Pick<Secret, 'name' | 'kind'>, hosts: readonly string[]) => void;
  onClose: () => void;
}

export function SecretForm({ environment, secret, value, onSet, onClose }: SecretFormProps) {
  const refresh = useRefresh();
  const form = useForm<SecretFields>({
    initialValues: {
      name: secret?.name ?? '',
      kind: secret?.kind ?? 'text',
      source: value?.source ?? '',
      reference: value?.reference ?? '',
      value: '',
      accessKeyId: '',
      secretAccessKey: '',
      sessionToken: '',
      user: '',
      password: '',
      database: '',
      sslmode: 'verify-full',
      ca: '',
      hosts: value?.hosts ?? ([] as string[]),
      allowEnv: secret?.allowEnv ?? false,
    },
  });
  const setting = useMutation({
    mutationFn: ({ name, ...body }: SecretInput & { name: string }) =>
      secretsSet({ path: { name }, body, headers: environment ? { 'x-environment': environment } : {} }),
    onSuccess: async ({ data }, { hosts = [] }) => {
      await refresh('secretsList', 'secretsGet', 'environmentsGet');
      onSet?.(data, hosts);
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
      onSubmit={() => setting.mutate(requestOf(form.values))}
      onCancel={onClose}
      busy={setting.isPending}
      error={setting.error}
      fields={['name', 'kind', 'value', 'source', 'reference', 'hosts', 'allowEnv']}
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
          error={problemAt(setting.error, 'name') ?? problemAt(setting.error, 'kind')}
        />
      )}
      <SourceFields
        form={form as UseFormReturnType<TypedValue>}
        environment={environment}
        problems={{
          source: problemAt(setting.error, 'source'),
          reference: problemAt(setting.error, 'reference'),
        }}
      />
      <ValueFields
        form={form as UseFormReturnType<TypedValue>}
        exists={secret !== undefined}
        problem={problemAt(setting.error, 'value')}
      />
      <TagsInput
        label="Hosts"
        description={HOSTS[form.values.kind]}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        {...form.getInputProps('hosts')}
        error={problemAt(setting.error, 'hosts')}
      />
      {form.values.kind === 'text' && (
        <Switch
          label="Scripts may read it as an environment variable"
          description="Otherwise it is only attached to requests, and no script sees it. This holds in all environments."
          {...form.getInputProps('allowEnv', { type: 'checkbox' })}
          error={problemAt(setting.error, 'allowEnv')}
        />
      )}
    </DialogForm>
  );
}

const HOSTS: Record<TypedValue['kind'], string> = {
  text: 'The only hosts that it is sent to. Press Enter after each: api.stripe.com, *.example.com, db.example.com:8443',
  aws: 'The only hosts for which requests are signed. Press Enter after each: reports.s3.eu-west-1.amazonaws.com, sqs.eu-west-1.amazonaws.com',
  postgres: 'The only servers that it signs in to. Press Enter after each: db.example.com:5432',
};

interface SecretFields extends TypedValue {
  name: string;
  hosts: string[];
  allowEnv: boolean;
}

function requestOf({ name, kind, hosts, allowEnv, ...typed }: SecretFields): SecretInput & { name: string } {
  return { name, kind, ...contentOf({ kind, ...typed }), hosts, ...(kind === 'text' && { allowEnv }) };
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
