import { Button, Center, Skeleton, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import type { Column } from './listing/column.js';
import { type Chosen, Rows } from './listing/rows.js';
import { ProblemNotice } from './problem-notice.js';

export type { Column } from './listing/column.js';

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface ListingProps<Item extends { id: string }> {
  /** What the table is a list of, for those who cannot see it: `Runs`. */
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>, unknown>;
  columns: Column<Item>[];
  /** Shown where there is nothing: what to do next. */
  empty: ReactNode;
  /** Without it rows cannot be chosen. */
  chosen?: Chosen<Item>;
}

/** A list of the service: pages are added at its end, and on a phone each row is a card. */
export function Listing<Item extends { id: string }>({
  label,
  query,
  columns,
  empty,
  chosen,
}: ListingProps<Item>) {
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  if (query.isPending) return <ListingSkeleton />;
  if (query.isError && !query.data) {
    return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  }
  if (items.length === 0) return empty;
  return (
    <Stack gap="xs">
      <Rows label={label} columns={columns} chosen={chosen} items={items} />
      {query.isFetchNextPageError ? (
        <ProblemNotice error={query.error} onRetry={() => query.fetchNextPage()} />
      ) : (
        query.hasNextPage && (
          <Center>
            <Button
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show more
            </Button>
          </Center>
        )
      )}
    </Stack>
  );
}

function ListingSkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} height={40} />
      ))}
    </Stack>
  );
}
