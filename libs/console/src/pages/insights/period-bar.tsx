import { Group, SegmentedControl, TextInput } from '@mantine/core';

import { INSIGHTS_AGES, type InsightsSearch, type Period, type Unit } from './insights-search.js';

const OWN = 'own';
const CHOICES = [
  { value: 'day', label: '24 hours' },
  { value: 'week', label: '7 days' },
  { value: 'month', label: '30 days' },
  { value: OWN, label: 'Own' },
];
const UNITS = [
  { value: 'hour', label: 'By hour' },
  { value: 'day', label: 'By day' },
];

interface PeriodBarProps {
  search: InsightsSearch;
  period: Period;
  onSearch: (search: InsightsSearch) => void;
}

/** Which time is shown, and by what. */
export function PeriodBar({ search, period, onSearch }: PeriodBarProps) {
  const { since = 'day', until, by: _, ...rest } = search;
  const isOwn = !INSIGHTS_AGES.some((age) => age === since);
  const choose = (value: string): void => {
    if (value === OWN) onSearch({ ...rest, since: daysAgo(6), until: daysAgo(0) });
    else onSearch({ ...rest, ...(value !== 'day' && { since: value }) });
  };
  const last = until ?? since;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Period"
        data={CHOICES}
        value={isOwn ? OWN : since}
        onChange={choose}
      />
      {isOwn && (
        <Group gap={6}>
          <TextInput
            size="xs"
            type="date"
            aria-label="First day"
            value={since}
            max={last}
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') onSearch({ ...search, since: value, until: value > last ? value : last });
            }}
          />
          <TextInput
            size="xs"
            type="date"
            aria-label="Last day"
            value={last}
            min={since}
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') onSearch({ ...search, since: value < since ? value : since, until: value });
            }}
          />
        </Group>
      )}
      {period.units.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="By"
          data={UNITS}
          value={period.by}
          onChange={(by) => onSearch({ ...search, by: by as Unit })}
        />
      )}
    </>
  );
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
