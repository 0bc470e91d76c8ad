import { scriptsListOptions } from '@gatehouse/client/react-query';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const PAUSE_MS = 250;

interface TagSelectProps {
  value: string | null;
  /** The tags that are known without asking. */
  known: string[];
  onChange: (tag: string | null) => void;
}

/** The tags of the scripts that are loaded, and, while one types, those of all others. */
export function TagSelect({ value, known, onChange }: TagSelectProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [wanted] = useDebouncedValue(typed.trim(), PAUSE_MS);
  // A search for a word finds the scripts with such a tag too. The chosen tag itself is typed by nobody.
  const { data } = useQuery({
    ...scriptsListOptions({ query: { limit: 100, ...(wanted && wanted !== value && { q: wanted }) } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    select: ({ items }) => items.flatMap(({ tags }) => tags),
  });
  return (
    <Select
      aria-label="Tag"
      placeholder="Any tag"
      data={[...new Set([...known, ...(data ?? [])])].sort()}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage="No script has such a tag"
      searchable
      clearable
      w={{ base: 'calc(50% - 5px)', xs: 160 }}
    />
  );
}
