import { scriptsListOptions } from '@gatehouse/client/react-query';
import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

export interface ScriptsPickerProps {
  value: string[];
  onChange: (slugs: string[]) => void;
  error: string | undefined;
}

/** Chooses scripts by slug. More than a hundred are found by what is typed. */
export function ScriptsPicker({ value, onChange, error }: ScriptsPickerProps) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed, 200);
  const { data } = useQuery({
    ...scriptsListOptions({ query: { limit: 100, ...(wanted && { q: wanted }) } }),
    placeholderData: keepPreviousData,
  });
  const found = data?.items.map(({ slug }) => slug) ?? [];
  return (
    <MultiSelect
      label="Scripts"
      description="What it may run. Whoever asks it runs no script that they could not run themselves."
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Take all scripts away' }}
      hidePickedOptions
      maxValues={50}
      maxDropdownHeight={240}
      nothingFoundMessage="No such script"
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...new Set([...value, ...found])]}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
