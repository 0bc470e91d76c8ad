import { type Run, type RunPage, runsExport } from '@gatehouse/client/operations';
import { runsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Skeleton } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { ExportMenu } from '../../kit/export-menu.js';
import { lazily } from '../../kit/lazily.js';
import { Listing } from '../../kit/listing.js';
import { Page } from '../../kit/page.js';
import { usePages } from '../../kit/use-pages.js';
import { ChosenRuns } from './list/chosen-runs.js';
import { MatchingRuns } from './list/matching-runs.js';
import { runColumns } from './list/run-columns.js';
import { RunFilters } from './list/run-filters.js';
import { type RunListSearch, runListQuery } from './list/run-list-search.js';
import { RunOperations } from './list/run-operations.js';
import { usePersonName } from './run/use-person-name.js';

const RunHistogram = lazily(async () => ({
  default: (await import('./list/run-histogram.js')).RunHistogram,
}));

const FROM = '/w/$workspace/$environment/runs';

export function RunListPage() {
  const place = usePlace();
  const { edits } = useRights();
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  // The hour, day or week counts from when it was chosen; the events bring what comes after.
  const asked = useMemo(() => runListQuery(search, Date.now()), [search]);
  const query = usePages(runsListInfiniteOptions({ query: { limit: 50, ...asked } }));
  const [ids, setIds] = useState<string[]>([]);
  const [begun, setBegun] = useState<string[]>([]);
  const nameOf = usePersonName();
  const columns = useMemo(() => runColumns(place, nameOf), [place, nameOf]);
  const chosen = useChosenRuns(query.data, ids);
  const isAll = query.data?.pages.every(({ items }) => items.every(({ id }) => ids.includes(id)));
  const isFilled = query.data?.pages.some(({ items }) => items.length > 0);

  const onSearch = (next: RunListSearch): void => {
    setIds([]);
    // A word is typed in several steps, but taken back in one.
    void navigate({ search: next, replace: Boolean(search.q && next.q && search.q !== next.q) });
  };
  return (
    <Page
      title="Runs"
      actions={
        <ExportMenu
          name="runs"
          read={(format) =>
            runsExport({
              query: { ...runListQuery(search, Date.now()), format },
              parseAs: 'blob',
              throwOnError: true,
            })
          }
        />
      }
    >
      {edits && (
        <Suspense fallback={<Skeleton height={78} />}>
          <RunHistogram search={search} onPeriod={(period) => onSearch({ ...search, ...period })} />
        </Suspense>
      )}
      <RunFilters search={search} onSearch={onSearch} />
      {isFilled && (chosen.length === 0 || (isAll && query.hasNextPage)) && (
        <MatchingRuns search={search} onBegun={({ id }) => setBegun((others) => [...others, id])} />
      )}
      <ChosenRuns runs={chosen} onDone={() => setIds([])} />
      <RunOperations
        begun={begun}
        onClose={(closed) => setBegun((others) => others.filter((id) => id !== closed))}
      />
      <Listing
        label="Runs"
        query={query}
        columns={columns}
        chosen={{
          ids: useMemo(() => chosen.map(({ id }) => id), [chosen]),
          onChange: setIds,
          nameOf: ({ script, id }) => `the run ${id} of ${script.slug}`,
        }}
        empty={<NoRuns isFiltered={Object.keys(search).length > 0} onShowAll={() => onSearch({})} />}
      />
    </Page>
  );
}

/** Of the runs that were chosen those that are still in the list. */
function useChosenRuns(data: InfiniteData<RunPage> | undefined, ids: readonly string[]): Run[] {
  return useMemo(() => {
    const wanted = new Set(ids);
    return data?.pages.flatMap(({ items }) => items.filter(({ id }) => wanted.has(id))) ?? [];
  }, [data, ids]);
}

function NoRuns({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  const place = usePlace();
  if (isFiltered) {
    return (
      <Empty
        title="No run like that"
        action={
          <Button variant="default" onClick={onShowAll}>
            Show all runs
          </Button>
        }
      >
        No run fits everything that is chosen above.
      </Empty>
    );
  }
  return (
    <Empty
      title="Nothing has run yet"
      action={
        <Button
          renderRoot={(props) => <Link to="/w/$workspace/$environment/scripts" params={place} {...props} />}
        >
          To the scripts
        </Button>
      }
    >
      Each run of a script is listed here, whoever or whatever started it.
    </Empty>
  );
}
