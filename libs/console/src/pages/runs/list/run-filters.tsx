import type { Run } from '@gatehouse/client/operations';
import {
  environmentsListOptions,
  membersListOptions,
  scriptsListOptions,
} from '@gatehouse/client/react-query';
import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { useUser } from '../../../api/session.js';
import { useRights } from '../../../app/use-place.js';
import {
  RUN_AGES,
  RUN_INTERFACES,
  RUN_STATUSES,
  type RunAge,
  type RunListSearch,
} from './run-list-search.js';

const STATUSES: Record<Run['status'], string> = {
  awaiting_approval: 'Waits for approval',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const INTERFACES: Record<Run['interface'], string> = {
  app: 'Console',
  api: 'API',
  cli: 'Command line',
  mcp: 'Agent',
  schedule: 'Schedule',
  trigger: 'Trigger',
};

const AGES: Record<RunAge, string> = {
  hour: 'The last hour',
  day: 'The last 24 hours',
  week: 'The last 7 days',
  month: 'The last 30 days',
};

const MOST = 100;

interface RunFiltersProps {
  search: RunListSearch;
  onSearch: (search: RunListSearch) => void;
}

/** Each choice narrows the list; nothing chosen shows all. */
export function RunFilters({ search, onSearch }: RunFiltersProps) {
  const { scripts, environments, people } = useChoices(search);
  const filters: [keyof RunListSearch, string, string, { value: string; label: string }[]][] = [
    ['script', 'Script', 'Any script', scripts],
    ['status', 'Status', 'Any status', choices(RUN_STATUSES, STATUSES)],
    ['environment', 'Environment', 'Any environment', environments],
    ['interface', 'How', 'Started any way', choices(RUN_INTERFACES, INTERFACES)],
    ['by', 'Person', 'Anybody', people],
    ['since', 'Since', 'Any time', choices(RUN_AGES, AGES)],
  ];
  return (
    <Group gap="xs" role="search" aria-label="Runs">
      {filters
        .filter(([, , , options]) => options.length > 1)
        .map(([name, label, placeholder, data]) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={placeholder}
            data={data}
            value={search[name] ?? null}
            onChange={(value) => onSearch({ ...search, [name]: value ?? undefined })}
            searchable={data.length > 8}
            clearable
            size="xs"
            w={{ base: 'calc(50% - 5px)', xs: 158 }}
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
  const scripts = useQuery(scriptsListOptions({ query: { limit: MOST } }));
  const environments = useQuery({ ...environmentsListOptions({ query: { limit: MOST } }), enabled: edits });
  const members = useQuery({ ...membersListOptions({ query: { limit: MOST } }), enabled: edits });
  const slugs = scripts.data?.items.map(({ slug, name }) => ({ value: slug, label: name })) ?? [];
  const names = environments.data?.items.map(({ name }) => ({ value: name, label: name })) ?? [];
  const people =
    members.data?.items.map(({ userId, name }) => ({
      value: userId,
      label: userId === user.id ? `${name} (you)` : name,
    })) ?? [];
  return {
    scripts: withChosen(slugs, search.script),
    environments: withChosen(names, search.environment),
    people: withChosen(people, search.by),
  };
}

/** What the address names is shown as chosen, though the list may not know it (yet). */
function withChosen(options: { value: string; label: string }[], chosen: string | undefined) {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: chosen }];
}

function choices<Value extends string>(values: readonly Value[], labels: Record<Value, string>) {
  return values.map((value) => ({ value, label: labels[value] }));
}
