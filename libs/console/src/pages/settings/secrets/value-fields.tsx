import { SegmentedControl, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import { PasswordInput } from '../../../kit/password-input.js';
import type { TypedValue } from './typed-value.js';

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
const TYPED = { autoComplete: 'off', spellCheck: false, styles: MONOSPACE } as const;

interface ValueFieldsProps {
  form: Pick<UseFormReturnType<TypedValue>, 'values' | 'getInputProps' | 'key'>;
  /** Whether there is a secret already, whose kind stays. */
  exists: boolean;
  problem: string | undefined;
}

/** What the value is, and the value. */
export function ValueFields({ form, exists, problem }: ValueFieldsProps) {
  const { kind, source } = form.values;
  return (
    <Stack gap="sm">
      {!exists && (
        <SegmentedControl
          aria-label="Kind of secret"
          fullWidth
          data={[
            { value: 'text', label: 'Key, token or password' },
            { value: 'aws', label: 'AWS keys' },
            { value: 'postgres', label: 'PostgreSQL' },
          ]}
          {...form.getInputProps('kind')}
        />
      )}
      <Text size="sm" c="dimmed">
        {USES[kind]}
      </Text>
      {source !== '' ? null : kind === 'text' ? (
        <Textarea
          label="Value"
          description={
            <>It cannot be read again, only replaced. {isShort(form.values.value) && <TooShort />}</>
          }
          required
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus={exists ? true : undefined}
          {...TYPED}
          {...form.getInputProps('value')}
          error={problem}
        />
      ) : kind === 'aws' ? (
        <AwsKeys form={form} exists={exists} problem={problem} />
      ) : (
        <PostgresSignIn form={form} exists={exists} problem={problem} />
      )}
    </Stack>
  );
}

/** The service masks values from this length on: shorter ones would blot out ordinary text. */
const SHORTEST_MASKED = 6;

const isShort = (value: string): boolean => value !== '' && value.length < SHORTEST_MASKED;

function TooShort() {
  return (
    <Text span inherit c="var(--mantine-color-error)" role="status">
      It has fewer than {SHORTEST_MASKED} characters, so it will not be masked in logs, outputs and errors.
    </Text>
  );
}

const USES: Record<TypedValue['kind'], string> = {
  text: 'A version of a script says in which header it is sent: as a Bearer token, in Basic credentials, or as its host wants it.',
  aws: 'Requests are signed with them on their way out. boto3, the AWS CLI and the SDKs work unmodified; the keys never reach a script.',
  postgres:
    'The gate signs in with it. psql, psycopg, asyncpg, SQLAlchemy and node-pg work unmodified with a stand-in; neither user nor password reaches a script.',
};

function AwsKeys({ form, exists, problem }: ValueFieldsProps) {
  return (
    <>
      <TextInput
        label="Access key"
        description="Such as AKIAIOSFODNN7EXAMPLE."
        required
        data-autofocus={exists ? true : undefined}
        {...TYPED}
        {...form.getInputProps('accessKeyId')}
      />
      <PasswordInput
        label="Secret key"
        description="It cannot be read again, only replaced."
        required
        {...TYPED}
        autoComplete="new-password"
        {...form.getInputProps('secretAccessKey')}
        error={problem && `The value ${problem}`}
      />
      <PasswordInput
        label="Session token"
        description="Of temporary keys only. When it has expired, requests are refused by AWS."
        {...TYPED}
        autoComplete="new-password"
        {...form.getInputProps('sessionToken')}
      />
    </>
  );
}

const SSL_MODES = [
  { value: 'verify-full', label: 'TLS, certificate checked for the host' },
  { value: 'verify-ca', label: 'TLS, certificate of a known authority' },
  { value: 'require', label: 'TLS, any certificate' },
  { value: 'disable', label: 'No TLS' },
];

function PostgresSignIn({ form, exists, problem }: ValueFieldsProps) {
  return (
    <>
      <TextInput
        label="User"
        required
        data-autofocus={exists ? true : undefined}
        {...TYPED}
        {...form.getInputProps('user')}
      />
      <PasswordInput
        label="Password"
        description="It cannot be read again, only replaced."
        required
        {...TYPED}
        autoComplete="new-password"
        {...form.getInputProps('password')}
        error={problem && `The value ${problem}`}
      />
      <TextInput
        label="Database"
        description="Left empty: whoever connects says which."
        {...TYPED}
        {...form.getInputProps('database')}
      />
      <Select label="Encryption" data={SSL_MODES} allowDeselect={false} {...form.getInputProps('sslmode')} />
      <Textarea
        label="Authority"
        description="PEM. Left empty: the usual ones."
        autosize
        minRows={2}
        maxRows={6}
        {...TYPED}
        {...form.getInputProps('ca')}
      />
    </>
  );
}
