import { CloseButton, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconSearch from 'icon:search';
import { useEffect, useRef, useState } from 'react';

import { SCRIPT_STATUSES, type ScriptSearch, type ScriptStatus } from './script-search.js';
import { TagSelect } from './tag-select.js';

const PAUSE_MS = 250;

const STATUS_LABELS: Record<ScriptStatus, string> = {
  published: 'Published',
  draft: 'Draft',
  archived: 'Archived',
};

interface ScriptFiltersProps {
  search: ScriptSearch;
  /** The tags that are known already. */
  tags: string[];
  onSearch: (search: ScriptSearch) => void;
}

export function ScriptFilters({ search, tags, onSearch }: ScriptFiltersProps) {
  return (
    <Group gap="xs" role="search" aria-label="Scripts">
      <SearchField q={search.q ?? ''} onQ={(q) => onSearch({ ...search, q })} />
      <TagSelect
        value={search.tag ?? null}
        known={tags}
        onChange={(tag) => onSearch({ ...search, tag: tag ?? '' })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={SCRIPT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))}
        value={search.status ?? null}
        onChange={(status) => {
          const { status: before, ...rest } = search;
          onSearch(status ? { ...rest, status } : rest);
        }}
        clearable
        w={{ base: 'calc(50% - 5px)', xs: 150 }}
      />
    </Group>
  );
}

/** The address follows what is typed after a short pause; what is typed follows the address when it changes by itself. */
function SearchField({ q, onQ }: { q: string; onQ: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text;
    onQ(text);
  }, PAUSE_MS);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);
  const change = (text: string): void => {
    setTyped(text);
    send(text.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label="Search scripts"
      placeholder="Name, slug, description or tag"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} /> : null
      }
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      w={{ base: '100%', xs: 300 }}
    />
  );
}
