import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { statusLabel } from '../../../kit/status.js';
import { OwnPeriod } from '../../runs/list/own-period.js';
import { PeriodPopover } from '../../runs/list/period-popover.js';
import { AGES } from '../../runs/list/run-filters.js';
import { RUN_AGES, ageOf } from '../../runs/list/run-list-search.js';
import { withChosen } from '../../runs/list/with-chosen.js';
import { DELIVERY_STATUSES, type DeliverySearch } from './delivery-search.js';

interface DeliveryFiltersProps {
  search: DeliverySearch;
  onSearch: (search: DeliverySearch) => void;
  /** Those that the endpoint gets; null: all. */
  eventTypes: readonly string[] | null;
}

const SIZES = { size: 'xs', w: { base: '100%', xs: 190 }, clearable: true } as const;

export function DeliveryFilters({ search, onSearch, eventTypes }: DeliveryFiltersProps) {
  const { data } = useQuery({ ...eventTypesListOptions(), enabled: eventTypes === null });
  const types = (eventTypes ?? data?.items.map(({ type }) => type) ?? []).map((type) => ({
    value: type,
    label: type,
  }));
  return (
    <Group gap="xs" role="search" aria-label="Deliveries">
      <Select
        {...SIZES}
        aria-label="Status"
        placeholder="Any status"
        data={DELIVERY_STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
        value={search.status ?? null}
        onChange={(status) => onSearch({ ...search, status: status ?? undefined })}
      />
      <Select
        {...SIZES}
        aria-label="Event type"
        placeholder="Any type"
        data={withChosen(types, search.type)}
        value={search.type ?? null}
        onChange={(type) => onSearch({ ...search, type: type ?? undefined })}
        searchable
      />
      <Select
        {...SIZES}
        aria-label="Since"
        placeholder="Any time"
        data={RUN_AGES.map((value) => ({ value, label: AGES[value] }))}
        value={ageOf(search.since)}
        onChange={(since) => onSearch({ ...search, since: since ?? undefined, until: undefined })}
      />
      <PeriodPopover
        label="When they were made"
        since={ageOf(search.since) === null ? search.since : undefined}
        until={search.until}
        onPeriod={(period) => onSearch({ ...search, ...period })}
      />
      <OwnPeriod
        since={search.since}
        until={search.until}
        verb="Made"
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
