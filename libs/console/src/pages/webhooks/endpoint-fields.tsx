import type { EndpointInput } from '@gatehouse/client/operations';
import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { MultiSelect, Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';

import { problemAt } from '../../kit/form-problem.js';

export interface EndpointValues {
  url: string;
  description: string;
  which: 'every' | 'some';
  eventTypes: string[];
}

export const ENDPOINT_FIELDS = ['url', 'description', 'eventTypes'] as const;

export function endpointBody({ url, description, which, eventTypes }: EndpointValues): EndpointInput {
  return {
    url,
    description: description.trim() === '' ? null : description,
    eventTypes: which === 'every' ? null : eventTypes,
  };
}

export function EndpointFields({ form, error }: { form: UseFormReturnType<EndpointValues>; error: unknown }) {
  const types = useQuery(eventTypesListOptions());
  return (
    <>
      <TextInput
        label="URL"
        description="An https address on a public host."
        placeholder="https://example.com/hooks/gatehouse"
        type="url"
        required
        data-autofocus
        maxLength={2048}
        {...form.getInputProps('url')}
        error={problemAt(error, 'url')}
      />
      <TextInput
        label="Description"
        description="What it is for."
        maxLength={500}
        {...form.getInputProps('description')}
        error={problemAt(error, 'description')}
      />
      <Radio.Group label="Events" {...form.getInputProps('which')}>
        <Stack gap="xs" mt={4}>
          <Radio value="every" label="Every event" description="Also of types that come later." />
          <Radio value="some" label="Only these types" />
        </Stack>
      </Radio.Group>
      {form.values.which === 'some' && (
        <MultiSelect
          label="Event types"
          searchable
          required
          clearable
          clearButtonProps={{ 'aria-label': 'Take all types away' }}
          hidePickedOptions
          maxDropdownHeight={240}
          nothingFoundMessage="No such type"
          data={types.data?.items.map(({ type }) => type) ?? form.values.eventTypes}
          {...form.getInputProps('eventTypes')}
          error={problemAt(error, 'eventTypes')}
        />
      )}
    </>
  );
}
