import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import {
  AWS,
  BASIC_USER,
  BEARER,
  basicUse,
  basicUserOf,
  type SecretUseForm,
  secretUseForm,
  SIGN_IN,
} from '../../../kit/secret-use-form.js';
import type { SecretRow } from './draft.js';

const FORMS: { value: SecretUseForm; label: string }[] = [
  { value: 'bearer', label: 'Bearer token' },
  { value: 'basic', label: 'Basic credentials' },
  { value: 'aws', label: 'Signature for AWS' },
  { value: 'signIn', label: 'Sign-in to PostgreSQL' },
  { value: 'own', label: 'Header of your own' },
];
const USES = { bearer: BEARER, basic: basicUse(BASIC_USER), aws: AWS, signIn: SIGN_IN };

interface SecretUseFieldsProps {
  row: SecretRow;
  onRow: (patch: Partial<SecretRow>) => void;
}

/** How a secret goes along with requests. */
export function SecretUseFields({ row, onRow }: SecretUseFieldsProps) {
  // A header of one's own may come to look like a usual one while it is typed.
  const [isOwn, setOwn] = useState(false);
  const form = isOwn ? 'own' : secretUseForm(row);
  const choose = (chosen: SecretUseForm): void => {
    setOwn(chosen === 'own');
    if (chosen !== 'own') onRow(USES[chosen]);
    else if (form !== 'own') onRow({ header: 'x-api-key', value: '{secret}' });
  };
  return (
    <>
      <Select
        label="As"
        data={FORMS}
        value={form}
        allowDeselect={false}
        onChange={(chosen) => chosen && choose(chosen as SecretUseForm)}
      />
      {form === 'own' && (
        <>
          <TextInput
            label="Header"
            placeholder="x-api-key"
            value={row.header}
            onChange={({ currentTarget }) => {
              setOwn(true);
              onRow({ header: currentTarget.value });
            }}
          />
          <TextInput
            label="Value"
            value={row.value}
            onChange={({ currentTarget }) => onRow({ value: currentTarget.value })}
          />
        </>
      )}
      {form === 'basic' && (
        <TextInput
          label="User"
          description="The secret is the password."
          inputWrapperOrder={['label', 'input', 'description']}
          value={basicUserOf(row.value) ?? ''}
          onChange={({ currentTarget }) => onRow(basicUse(currentTarget.value.replace(/[{}:]/g, '')))}
        />
      )}
      {form === 'aws' && (
        <Text size="xs" c="dimmed" style={{ alignSelf: 'end' }}>
          The SDK in the script finds stand-in keys in AWS_ACCESS_KEY_ID; each request is signed anew with the
          real ones.
        </Text>
      )}
      {form === 'signIn' && (
        <Text size="xs" c="dimmed" style={{ alignSelf: 'end' }}>
          To hosts whose protocol is PostgreSQL. The script finds the address, with a stand-in user and
          password, in the variable of the secret's name; of the version's one server in DATABASE_URL, PGHOST
          and the like as well.
        </Text>
      )}
    </>
  );
}
