import { Button, Center, Group, ScrollArea, Table, Text, TextInput, UnstyledButton } from '@mantine/core';
import IconDownload from 'icon:download';
import { useMemo, useState } from 'react';

import { LOCALE } from '../locale.js';
import { saveAs } from '../save-as.js';
import classes from './data-table.module.css';
import {
  type Sorting,
  type TextRow,
  isNumeric,
  matching,
  readableNumber,
  sorted,
  toCsv,
} from './table-rows.js';

export interface DataTableProps {
  /** What the table is of, for those who cannot see it. */
  label: string;
  columns: readonly string[];
  rows: readonly TextRow[];
  /** What its CSV is called, without the ending. Left out: it is none that one would keep. */
  fileName?: string;
}

const AT_ONCE = 100;
const LONG = 300;
/** Fewer are seen at a glance. */
const FILTERED_FROM = 10;

/** Values in rows and columns, sorted and narrowed as one likes: the first hundred rows, and more on request. */
export function DataTable({ label, columns, rows, fileName }: DataTableProps) {
  const [count, setCount] = useState(AT_ONCE);
  const [words, setWords] = useState('');
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const numeric = useMemo(() => columns.map((_, column) => isNumeric(rows, column)), [rows, columns]);
  const shown = useMemo(() => {
    const found = matching(rows, words);
    return sorting ? sorted(found, sorting, numeric[sorting.column]!) : found;
  }, [rows, words, sorting, numeric]);
  const hasFilter = rows.length >= FILTERED_FROM;
  return (
    <div>
      {(hasFilter || fileName) && (
        <Group justify="space-between" gap="xs" mb="xs">
          {hasFilter ? (
            <TextInput
              size="xs"
              aria-label={`Filter ${label}`}
              placeholder={`Filter ${rows.length.toLocaleString(LOCALE)} rows`}
              value={words}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
          ) : (
            <span />
          )}
          {fileName && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() =>
                saveAs(new Blob([toCsv(columns, shown)], { type: 'text/csv' }), `${fileName}.csv`)
              }
            >
              CSV
            </Button>
          )}
        </Group>
      )}
      <ScrollArea.Autosize
        type="auto"
        mah={480}
        viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'group' }}
      >
        <Table fz="sm" verticalSpacing={6} aria-label={label} withTableBorder withColumnBorders stickyHeader>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                <Head
                  key={index}
                  name={column}
                  isNumeric={numeric[index]!}
                  order={sorting?.column === index ? sorting : null}
                  onSort={(isDescending) => setSorting({ column: index, isDescending })}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.slice(0, count).map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((name, column) => (
                  <Table.Td key={column} ta={numeric[column] ? 'right' : undefined}>
                    <Cell
                      text={numeric[column] ? readableNumber(row[column] ?? '', name) : (row[column] ?? '')}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          No row has that.
        </Text>
      )}
      {shown.length > count && (
        <Center mt="xs">
          <Button variant="default" size="xs" onClick={() => setCount(count + 10 * AT_ONCE)}>
            Show more of {shown.length.toLocaleString(LOCALE)} rows
          </Button>
        </Center>
      )}
    </div>
  );
}

interface HeadProps {
  name: string;
  isNumeric: boolean;
  /** null: the rows are not sorted by this column. */
  order: Sorting | null;
  onSort: (isDescending: boolean) => void;
}

function Head({ name, isNumeric, order, onSort }: HeadProps) {
  const direction = order?.isDescending ? 'descending' : 'ascending';
  return (
    <Table.Th ta={isNumeric ? 'right' : undefined} aria-sort={order ? direction : undefined}>
      <UnstyledButton
        className={`${classes['head']} user-text`}
        data-order={order ? direction : undefined}
        onClick={() => onSort(order !== null && !order.isDescending)}
      >
        {name}
      </UnstyledButton>
    </Table.Th>
  );
}

function Cell({ text }: { text: string }) {
  const shown = text.length > LONG ? `${text.slice(0, LONG)}…` : text;
  return (
    <Text
      span
      inherit
      className={`${classes['cell']} user-text`}
      title={text.length > LONG ? text : undefined}
    >
      {shown}
    </Text>
  );
}
