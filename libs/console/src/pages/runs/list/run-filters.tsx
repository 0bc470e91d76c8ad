import type { Run } from '@gatehouse/client/operations';
import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { useUser } from '../../../api/session.js';
import { environmentsQuery } from '../../../app/place-queries.js';
import { useMembers } from '../../../app/use-people.js';
import { useRights } from '../../../app/use-place.js';
import { statusLabel } from '../../../kit/status.js';
import {
  RUN_AGES,
  RUN_INTERFACES,
  RUN_STATUSES,
  type RunAge,
  type RunListSearch,
} from './run-list-search.js';
import { ScriptSelect } from './script-select.js';
import { withChosen } from './with-chosen.js';

export const INTERFACES: Record<Run['interface'], string> = {
  app: 'Console',
  api: 'API',
  cli: 'Command line',
  mcp: 'Agent',
  schedule: 'Schedule',
  trigger: 'Trigger',
  hook: 'Hook',
};

const AGES: Record<RunAge, string> = {
  hour: 'The last hour',
  day: 'The last 24 hours',
  week: 'The last 7 days',
  month: 'The last 30 days',
};

interface RunFiltersProps {
  search: RunListSearch;
  onSearch: (search: RunListSearch) => void;
}

const SIZES = { size: 'xs', w: { base: 'calc(50% - 5px)', xs: 158 } } as const;

/** Each choice narrows the list; nothing chosen shows all. */
export function RunFilters({ search, onSearch }: RunFiltersProps) {
  const { environments, people } = useChoices(search);
  const filters: [keyof RunListSearch, string, string, { value: string; label: string }[]][] = [
    ['status', 'Status', 'Any status', RUN_STATUSES.map((value) => ({ value, label: statusLabel(value) }))],
    ['environment', 'Environment', 'Any environment', environments],
    ['interface', 'How', 'Started any way', choices(RUN_INTERFACES, INTERFACES)],
    ['by', 'Person', 'Anybody', people],
    ['since', 'Since', 'Any time', choices(RUN_AGES, AGES)],
  ];
  const choose = (name: keyof RunListSearch, value: string | null): void =>
    onSearch({ ...search, [name]: value ?? undefined });
  return (
    <Group gap="xs" role="search" aria-label="Runs">
      <ScriptSelect
        aria-label="Script"
        placeholder="Any script"
        value={search.script ?? null}
        onChange={(slug) => choose('script', slug)}
        clearable
        {...SIZES}
      />
      {filters
        .filter(([, , , options]) => options.length > 1)
        .map(([name, label, placeholder, data]) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={placeholder}
            data={data}
            value={search[name] ?? null}
            onChange={(value) => choose(name, value)}
            searchable={data.length > 8}
            clearable
            {...SIZES}
          />
        ))}
      {Object.keys(search).length > 0 && (
        <Button size="xs" variant="subtle" onClick={() => onSearch({})}>
          Show all
        </Button>
      )}
    </Group>
  );
}

function useChoices(search: RunListSearch) {
  const user = useUser();
  const { edits } = useRights();
  const environments = useQuery({ ...environmentsQuery(), enabled: edits });
  const members = useMembers(edits);
  const names = environments.data?.items.map(({ name }) => ({ value: name, label: name })) ?? [];
  const people = members.map(({ userId, name }) => ({
    value: userId,
    label: userId === user.id ? `${name} (you)` : name,
  }));
  return {
    environments: withChosen(names, search.environment),
    people: withChosen(people, search.by),
  };
}

function choices<Value extends string>(values: readonly Value[], labels: Record<Value, string>) {
  return values.map((value) => ({ value, label: labels[value] }));
}
