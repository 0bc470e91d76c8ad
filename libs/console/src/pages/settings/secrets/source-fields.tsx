import { secretSourcesListOptions } from '@gatehouse/client/react-query';
import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';

import type { TypedValue } from './typed-value.js';

interface SourceFieldsProps {
  form: Pick<UseFormReturnType<TypedValue>, 'values' | 'getInputProps' | 'key'>;
  environment: string | undefined;
  problems: { source: string | undefined; reference: string | undefined };
}

/** Where the value is, if there is anything to choose: here, in a store of the operator's, or where an extension reads it. */
export function SourceFields({ form, environment, problems }: SourceFieldsProps) {
  const { source } = form.values;
  const headers = environment ? { 'x-environment': environment } : {};
  const { data } = useQuery(secretSourcesListOptions({ headers }));
  const sources = data?.items ?? [];
  if (sources.length === 0 && source === '') return null;
  const chosen = sources.find(({ name }) => name === source);
  const gone = source !== '' && !chosen ? [{ value: source, label: source }] : [];
  return (
    <>
      <Select
        label="Where the value is"
        allowDeselect={false}
        data={[
          { value: '', label: 'Stored here' },
          ...sources.map(({ name, title }) => ({ value: name, label: title })),
          ...gone,
        ]}
        {...form.getInputProps('source')}
        error={problems.source}
      />
      {source !== '' && (
        <TextInput
          label="Reference"
          description={`${chosen?.reference ?? ''} Each run reads the value anew when it starts; it is not stored here.`.trim()}
          placeholder={chosen?.example}
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('reference')}
          error={problems.reference}
        />
      )}
    </>
  );
}
