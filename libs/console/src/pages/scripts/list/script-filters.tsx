import { Group, Select } from '@mantine/core';

import { SearchField } from '../../../kit/search-field.js';
import { SCRIPT_STATUSES, type ScriptSearch, type ScriptStatus } from './script-search.js';
import { TagSelect } from './tag-select.js';

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
      <SearchField
        label="Search scripts"
        placeholder="Name, slug, description or tag"
        w={{ base: '100%', xs: 300 }}
        q={search.q ?? ''}
        onQ={(q) => onSearch({ ...search, q })}
      />
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
