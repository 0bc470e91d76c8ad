import { Button, Center, Checkbox, Skeleton, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ColumnDef, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, memo, useMemo } from 'react';

import classes from './listing.module.css';
import { ProblemNotice } from './problem-notice.js';

export interface Column<Item> {
  id: string;
  header: string;
  cell: (item: Item) => ReactNode;
  /** For numbers and times, which are easier to compare at the right edge. */
  align?: 'right';
  /** Left out where there is no room for it. */
  wideOnly?: boolean;
  /** On a phone it has a line of its own. */
  ownLine?: boolean;
}

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
  /** The ids that are chosen; without it rows cannot be chosen. */
  chosen?: { ids: string[]; onChange: (ids: string[]) => void; nameOf: (item: Item) => string };
}

const features = tableFeatures({ rowSelectionFeature });

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
  if (query.isError && !query.data) return <ProblemNotice error={query.error} />;
  if (items.length === 0) return empty;
  return (
    <Stack gap="xs">
      <Rows label={label} columns={columns} chosen={chosen} items={items} />
      {query.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </Center>
      )}
      {query.isFetchNextPageError && <ProblemNotice error={query.error} />}
    </Stack>
  );
}

interface RowsProps<Item extends { id: string }> extends Pick<ListingProps<Item>, 'label' | 'columns'> {
  chosen: ListingProps<Item>['chosen'] | undefined;
  items: Item[];
}

/** They are drawn again only when they change, not each time that the list is asked for. */
const Rows = memo(RowsOf) as typeof RowsOf;

function RowsOf<Item extends { id: string }>({ label, columns, chosen, items }: RowsProps<Item>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, cell }): ColumnDef<typeof features, Item> => ({
        id,
        header,
        cell: ({ row }) => cell(row.original),
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: items,
    getRowId: (item) => item.id,
    state: { rowSelection: selectionOf(chosen?.ids) },
    onRowSelectionChange: (change) => {
      const after = typeof change === 'function' ? change(selectionOf(chosen?.ids)) : change;
      chosen?.onChange(Object.keys(after));
    },
  });
  const classOf = (id: string): string => {
    const column = columns.find((candidate) => candidate.id === id);
    return [
      column?.align === 'right' && classes['right'],
      column?.wideOnly && classes['wideOnly'],
      column?.ownLine && classes['ownLine'],
    ]
      .filter(Boolean)
      .join(' ');
  };

  return (
    <table className={classes['table']} aria-label={label}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {chosen && (
              <th className={classes['choice']}>
                <Checkbox
                  aria-label="Choose all that are shown"
                  checked={table.getIsAllRowsSelected()}
                  indeterminate={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {group.headers.map((header) => (
              <th key={header.id} scope="col" className={classOf(header.column.id)}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} data-id={row.id}>
            {chosen && (
              <td className={classes['choice']}>
                <Checkbox
                  aria-label={`Choose ${chosen.nameOf(row.original)}`}
                  checked={row.getIsSelected()}
                  onChange={row.getToggleSelectedHandler()}
                />
              </td>
            )}
            {row.getAllCells().map((cell) => (
              <td key={cell.id} className={classOf(cell.column.id)}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function selectionOf(ids: string[] = []): Record<string, true> {
  return Object.fromEntries(ids.map((id) => [id, true as const]));
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
