import { PasswordInput, SegmentedControl, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

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
      ) : (
        <AwsKeys form={form} exists={exists} problem={problem} />
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
