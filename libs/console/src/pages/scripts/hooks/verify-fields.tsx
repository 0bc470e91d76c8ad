import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';

import { SCHEMES } from './hook-draft.js';

interface VerifyFieldsProps {
  verify: Record<string, string>;
  onChange: (verify: Record<string, string>) => void;
  errorAt: (path: string) => string | undefined;
}

const SECRET = { name: 'secret', label: 'Secret', help: 'The name of a secret of this environment' };
const TOLERANCE = {
  name: 'tolerance',
  label: 'Tolerance',
  help: 'Seconds that its time may be away; 300 if left out',
};
const HMAC = [
  SECRET,
  { name: 'header', label: 'Header', help: 'Where the signature is, such as x-signature' },
  { name: 'prefix', label: 'Prefix', help: 'What stands before it, such as sha256=' },
  { name: 'signed', label: 'What is signed', help: '{body} if left out, or such as {timestamp}.{body}' },
  { name: 'timestampHeader', label: 'Header of the time', help: 'Where {timestamp} is from' },
  { name: 'idHeader', label: 'Header of the id', help: 'By which the same request is known again' },
  TOLERANCE,
  { name: 'verifyToken', label: 'Verify token', help: 'For Meta: the secret that it shows first' },
];
const FIELDS: Record<string, { name: string; label: string; help: string }[]> = {
  stripe: [SECRET, TOLERANCE],
  slack: [SECRET, TOLERANCE],
  'standard-webhooks': [SECRET, TOLERANCE],
  hmac: HMAC,
  token: [SECRET, { name: 'header', label: 'Header', help: 'Authorization: Bearer if left out' }],
  basic: [{ name: 'username', label: 'User', help: 'The secret is the password' }, SECRET],
  none: [],
};
const CHOICES = [
  { name: 'algorithm', label: 'Algorithm', data: ['sha256', 'sha512', 'sha1'] },
  { name: 'encoding', label: 'Encoding', data: ['hex', 'base64'] },
];

/** Who may send: the scheme, and what it takes. */
export function VerifyFields({ verify, onChange, errorAt }: VerifyFieldsProps) {
  const { scheme = '' } = verify;
  const fields = FIELDS[scheme] ?? [SECRET];
  const start = (next: string): void =>
    onChange(next === 'hmac' ? { scheme: next, algorithm: 'sha256', encoding: 'hex' } : { scheme: next });
  return (
    <Stack gap="xs" role="group" aria-label="Who may send">
      <Select
        label="Who sends"
        description="How its requests prove where they come from"
        required
        allowDeselect={false}
        data={SCHEMES.map((each) => ({ ...each }))}
        value={scheme}
        onChange={(next) => next && start(next)}
        error={errorAt('verify.scheme')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {fields.map(({ name, label, help }) => (
          <TextInput
            key={name}
            label={label}
            description={help}
            value={verify[name] ?? ''}
            onChange={(event) => onChange({ ...verify, [name]: event.currentTarget.value })}
            error={errorAt(`verify.${name}`)}
          />
        ))}
        {scheme === 'hmac' &&
          CHOICES.map(({ name, label, data }) => (
            <Select
              key={name}
              label={label}
              allowDeselect={false}
              data={data}
              value={verify[name] ?? null}
              onChange={(next) => next && onChange({ ...verify, [name]: next })}
              error={errorAt(`verify.${name}`)}
            />
          ))}
      </SimpleGrid>
    </Stack>
  );
}
