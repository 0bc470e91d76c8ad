import type { ErrorGroup } from '@gatehouse/client/operations';
import { errorsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Select, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { Place } from '../../api/place.js';
import { usePlace } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { type Column, Listing } from '../../kit/listing.js';
import { LOCALE } from '../../kit/locale.js';
import { Moment } from '../../kit/moment.js';
import { Page } from '../../kit/page.js';
import { Status, statusLabel } from '../../kit/status.js';
import { usePages } from '../../kit/use-pages.js';
import { ScriptSelect } from '../runs/list/script-select.js';
import { ERROR_STATUSES, errorListQuery, type ErrorListSearch } from './error-list-search.js';

const FROM = '/w/$workspace/$environment/errors';
const SIZES = { size: 'xs', w: { base: 'calc(50% - 5px)', xs: 180 } } as const;
const STATUSES = [...ERROR_STATUSES, 'any' as const].map((value) => ({
  value,
  label: value === 'any' ? 'Any status' : statusLabel(value),
}));

/** What scripts fail of. */
export function ErrorListPage() {
  const place = usePlace();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const query = usePages(errorsListInfiniteOptions({ query: { limit: 50, ...errorListQuery(search) } }));
  const columns = useMemo(() => errorColumns(place), [place]);
  const onSearch = (next: ErrorListSearch): void => void navigate({ search: next });
  return (
    <Page
      title="Errors"
      description="Runs that failed in the same way are one error, by script and environment."
    >
      <Group gap="xs" role="search" aria-label="Errors">
        <ScriptSelect
          aria-label="Script"
          placeholder="Any script"
          value={search.script ?? null}
          onChange={(script) => {
            const { script: _, ...rest } = search;
            onSearch(script === null ? rest : { ...rest, script });
          }}
          clearable
          {...SIZES}
        />
        <Select
          aria-label="Status"
          data={STATUSES}
          value={search.status ?? 'open'}
          allowDeselect={false}
          onChange={(status) => onSearch({ ...search, status: status as NonNullable<typeof search.status> })}
          {...SIZES}
        />
      </Group>
      <Listing
        label="Errors"
        query={query}
        columns={columns}
        empty={<Empty title="No error like that">No run has failed that fits what is chosen above.</Empty>}
      />
    </Page>
  );
}

function errorColumns(place: Place): Column<ErrorGroup>[] {
  return [
    { id: 'error', header: 'Error', cell: (error) => <ErrorName error={error} place={place} /> },
    { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
    { id: 'environment', header: 'Environment', wideOnly: true, cell: ({ environment }) => environment },
    { id: 'count', header: 'Runs', align: 'right', cell: ({ count }) => count.toLocaleString(LOCALE) },
    {
      id: 'first',
      header: 'First',
      align: 'right',
      wideOnly: true,
      cell: ({ firstAt }) => <Moment at={firstAt} />,
    },
    { id: 'last', header: 'Last', align: 'right', cell: ({ lastAt }) => <Moment at={lastAt} /> },
  ];
}

function ErrorName({
  error: { id, title, script, place: where },
  place,
}: {
  error: ErrorGroup;
  place: Place;
}) {
  return (
    <>
      <Anchor
        size="sm"
        fw={600}
        className="user-text"
        renderRoot={(props) => (
          <Link
            to="/w/$workspace/$environment/errors/$errorId"
            params={{ ...place, errorId: id }}
            {...props}
          />
        )}
      >
        {title}
      </Anchor>
      <Text size="xs" c="dimmed" className="user-text" lineClamp={1}>
        {where === null ? script.slug : `${script.slug}, ${where}`}
      </Text>
    </>
  );
}
