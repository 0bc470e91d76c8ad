import type { Run } from '@gatehouse/client/operations';
import { Button, Group, MultiSelect, Select } from '@mantine/core';
import IconX from 'icon:x';
import { useQuery } from '@tanstack/react-query';

import { useUser } from '../../../api/session.js';
import { environmentsQuery } from '../../../app/place-queries.js';
import { useMembers } from '../../../app/use-people.js';
import { useRights } from '../../../app/use-place.js';
import { SearchField } from '../../../kit/search-field.js';
import { durationText } from '../../../kit/moment.js';
import { statusLabel } from '../../../kit/status.js';
import {
  RUN_AGES,
  RUN_DURATIONS,
  RUN_INTERFACES,
  RUN_PLANS,
  RUN_STATUSES,
  type RunAge,
  type RunListSearch,
  ageOf,
  statusesOf,
} from './run-list-search.js';
import { PeriodPopover } from './period-popover.js';
import { OwnPeriod } from './own-period.js';
import { SavedViews } from './saved-views.js';
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

export const AGES: Record<RunAge, string> = {
  hour: 'The last hour',
  day: 'The last 24 hours',
  week: 'The last 7 days',
  month: 'The last 30 days',
};

const PLANS = { true: 'Only plans', false: 'Only runs' };

interface RunFiltersProps {
  search: RunListSearch;
  onSearch: (search: RunListSearch) => void;
}

/** What one value is chosen for. */
type ChosenOne = 'script' | 'environment' | 'interface' | 'by' | 'since';

const SIZES = { size: 'xs', w: { base: 'calc(50% - 5px)', xs: 158 } } as const;

/** Each choice narrows the list; nothing chosen shows all. */
export function RunFilters({ search, onSearch }: RunFiltersProps) {
  const { environments, people } = useChoices(search);
  const filters: [ChosenOne, string, string, { value: string; label: string }[]][] = [
    ['environment', 'Environment', 'Any environment', environments],
    ['interface', 'How', 'Started any way', choices(RUN_INTERFACES, INTERFACES)],
    ['by', 'Person', 'Anybody', people],
    ['since', 'Since', 'Any time', choices(RUN_AGES, AGES)],
  ];
  const choose = (name: ChosenOne, value: string | null): void =>
    onSearch({ ...search, ...(name === 'since' && { until: undefined }), [name]: value ?? undefined });
  return (
    <Group gap="xs" role="search" aria-label="Runs">
      <SearchField
        label="Search runs"
        placeholder="Words in labels, errors, inputs …"
        size="xs"
        maxLength={200}
        w={{ base: '100%', xs: 260 }}
        q={search.q ?? ''}
        onQ={(q) => onSearch({ ...search, q: q === '' ? undefined : q })}
      />
      <ScriptSelect
        aria-label="Script"
        placeholder="Any script"
        value={search.script ?? null}
        onChange={(slug) => choose('script', slug)}
        clearable
        {...SIZES}
      />
      <MultiSelect
        aria-label="Status"
        placeholder={search.status === undefined ? 'Any status' : undefined}
        data={RUN_STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
        value={statusesOf(search.status)}
        onChange={(statuses) => onSearch({ ...search, status: statuses.join(',') || undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
        size="xs"
        w={{ base: '100%', xs: statusesOf(search.status).length > 1 ? 260 : 158 }}
      />
      {filters
        .filter(([, , , options]) => options.length > 1)
        .map(([name, label, placeholder, data]) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={placeholder}
            data={data}
            value={(name === 'since' ? ageOf(search.since) : search[name]) ?? null}
            onChange={(value) => choose(name, value)}
            searchable={data.length > 8}
            clearable
            {...SIZES}
          />
        ))}
      <Select
        aria-label="Duration"
        placeholder="Any duration"
        data={durations(search.minSeconds).map((seconds) => ({
          value: String(seconds),
          label: `Over ${durationText(seconds * 1000)}`,
        }))}
        value={search.minSeconds === undefined ? null : String(search.minSeconds)}
        onChange={(value) => onSearch({ ...search, minSeconds: value === null ? undefined : Number(value) })}
        clearable
        {...SIZES}
      />
      <Select
        aria-label="Plans"
        placeholder="Runs and plans"
        data={choices(RUN_PLANS, PLANS)}
        value={search.plan ?? null}
        onChange={(value) => onSearch({ ...search, plan: RUN_PLANS.find((known) => known === value) })}
        clearable
        {...SIZES}
      />
      <PeriodPopover
        label="When they were asked for"
        since={ageOf(search.since) === null ? search.since : undefined}
        until={search.until}
        onPeriod={(period) => onSearch({ ...search, ...period })}
      />
      {search.label?.map((label) => (
        <Button
          key={label}
          size="xs"
          variant="default"
          maw={260}
          aria-label={`Without the label ${label}`}
          rightSection={<IconX size={12} aria-hidden />}
          onClick={() => onSearch({ ...search, label: without(search.label, label) })}
        >
          {label}
        </Button>
      ))}
      <SavedViews search={search} onSearch={onSearch} />
      <OwnPeriod
        since={search.since}
        until={search.until}
        verb="Asked"
        onClear={() => onSearch({ ...search, since: undefined, until: undefined })}
      />
      {Object.keys(search).length > 0 && (
        <Button size="xs" variant="subtle" onClick={() => onSearch({})}>
          Show all
        </Button>
      )}
    </Group>
  );
}

/** Those that are offered, and the one that the address names. */
function durations(chosen: number | undefined): number[] {
  return [...new Set([...RUN_DURATIONS, ...(chosen === undefined ? [] : [chosen])])].sort((a, b) => a - b);
}

function without(labels: readonly string[] | undefined, gone: string): string[] | undefined {
  const left = labels?.filter((label) => label !== gone) ?? [];
  return left.length > 0 ? left : undefined;
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
