import { schedulesListInfiniteOptions } from '@gatehouse/client/react-query';
import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';

import { isProblem } from '../../../api/problem.js';
import { Empty } from '../../../kit/empty.js';
import { Listing } from '../../../kit/listing.js';
import { LOCALE } from '../../../kit/locale.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { usePages } from '../../../kit/use-pages.js';
import { useScheduleColumns } from './schedule-columns.js';
import { SCHEDULE_VIEWS, type ScheduleView } from './schedule-views.js';
import { WeekCalendar } from './week-calendar.js';

const route = getRouteApi('/w/$workspace/$environment/schedules');

/** Pages of a hundred: a workspace has 500 schedules, unless it may have more. */
const MOST_PAGES = 10;

/** What runs by the clock, of every script. */
export function SchedulesPage() {
  const { view = 'week' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Schedules"
      description="What runs by the clock."
      actions={
        <SegmentedControl
          aria-label="Show schedules as"
          value={view}
          onChange={(next) =>
            void navigate({ to: '.', search: (next as ScheduleView) === 'table' ? { view: 'table' } : {} })
          }
          data={(Object.keys(SCHEDULE_VIEWS) as ScheduleView[]).map((value) => ({
            value,
            label: SCHEDULE_VIEWS[value],
          }))}
        />
      }
    >
      {view === 'week' ? <OfWeek /> : <OfTable />}
    </Page>
  );
}

function OfWeek() {
  const query = usePages(schedulesListInfiniteOptions({ query: { limit: 100, upcoming: 7 } }));
  const { data, error, hasNextPage, isFetching, isError, isFetchNextPageError, fetchNextPage } = query;
  const pages = data?.pages.length ?? 0;
  const isMore = hasNextPage && pages < MOST_PAGES;
  // A week is of all of them.
  useEffect(() => {
    if (isMore && !isFetching && !isError) void fetchNextPage();
  }, [isMore, isFetching, isError, fetchNextPage]);
  // A service of before `upcoming` does not say when schedules are due.
  if (isProblem(error) && error.at('upcoming')) return <OfTable />;
  const retry = (): Promise<unknown> => (isFetchNextPageError ? fetchNextPage() : query.refetch());
  const notice = isError && <ProblemNotice error={error} onRetry={retry} />;
  if (!data) return notice || <Skeleton height={360} />;
  const schedules = data.pages.flatMap(({ items }) => items);
  if (schedules.length === 0 && !hasNextPage) return notice || <NoSchedules />;
  return (
    <Stack>
      {notice}
      {isMore && !isError && (
        <Text size="sm" c="dimmed" role="status">
          Reading further schedules…
        </Text>
      )}
      {hasNextPage && !isMore && (
        <Text size="sm">
          These are the first {schedules.length.toLocaleString(LOCALE)} schedules. The table has all of them.
        </Text>
      )}
      <WeekCalendar schedules={schedules} />
    </Stack>
  );
}

function OfTable() {
  const query = usePages(schedulesListInfiniteOptions({ query: { limit: 50 } }));
  return (
    <Listing
      label="Schedules"
      query={query}
      columns={useScheduleColumns({ ofMany: true })}
      empty={<NoSchedules />}
    />
  );
}

function NoSchedules() {
  return <Empty title="No schedule yet">The page of a script has a tab to make one.</Empty>;
}
