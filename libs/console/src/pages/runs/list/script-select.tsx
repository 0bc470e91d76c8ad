import { scriptsListOptions } from '@gatehouse/client/react-query';
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { withChosen } from './with-chosen.js';

const PAUSE_MS = 250;
const MOST = 100;

interface Choice {
  value: string;
  label: string;
}

interface ScriptSelectProps extends SelectProps {
  value: string | null;
  onChange: (slug: string | null) => void;
}

/** One of the workspace's scripts, however many there are: the service is asked for what is typed. */
export function ScriptSelect({ value, onChange, ...props }: ScriptSelectProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Choice | null>(null);
  const isTyped = typed !== '' && typed !== value && typed !== chosen?.label;
  const [wanted] = useDebouncedValue(isTyped ? typed.trim() : '', PAUSE_MS);
  const { data } = useQuery({
    ...scriptsListOptions({ query: { limit: MOST, ...(wanted && { q: wanted }) } }),
    placeholderData: keepPreviousData,
    select: ({ items }) => items.map(({ slug, name }): Choice => ({ value: slug, label: name })),
  });
  const found = data ?? [];
  const known = found.some((choice) => choice.value === value);
  const isKept = !known && chosen !== null && chosen.value === value;
  return (
    <Select
      {...props}
      data={isKept ? [...found, chosen] : withChosen(found, value)}
      // What the service found for a word may have it in its tags or description.
      filter={wanted === '' ? undefined : ({ options }) => options}
      value={value}
      onChange={(slug, choice) => {
        setChosen(slug === null ? null : choice);
        onChange(slug);
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No such script"
      searchable
    />
  );
}
