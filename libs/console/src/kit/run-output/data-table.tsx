import { Button, Center, ScrollArea, Table, Text } from '@mantine/core';
import { useState } from 'react';

export interface DataTableProps {
  /** What the table is of, for those who cannot see it. */
  label: string;
  columns: readonly string[];
  /** The text of each cell. */
  rows: readonly (readonly string[])[];
  isNumeric?: (column: number) => boolean;
}

const AT_ONCE = 100;
const LONG = 300;

/** Values in rows and columns: the first hundred rows, and more on request. */
export function DataTable({ label, columns, rows, isNumeric }: DataTableProps) {
  const [count, setCount] = useState(AT_ONCE);
  const align = (column: number): 'right' | undefined => (isNumeric?.(column) ? 'right' : undefined);
  return (
    <>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'group' }}>
        <Table fz="sm" verticalSpacing={6} aria-label={label} withTableBorder withColumnBorders>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                <Table.Th
                  key={index}
                  ta={align(index)}
                  className="user-text"
                  style={{ whiteSpace: 'nowrap' }}
                >
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, count).map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((_, column) => (
                  <Table.Td key={column} ta={align(column)}>
                    <Cell text={row[column] ?? ''} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {rows.length > count && (
        <Center mt="xs">
          <Button variant="default" size="xs" onClick={() => setCount(count + 10 * AT_ONCE)}>
            Show more of {rows.length.toLocaleString('en')} rows
          </Button>
        </Center>
      )}
    </>
  );
}

function Cell({ text }: { text: string }) {
  const shown = text.length > LONG ? `${text.slice(0, LONG)}…` : text;
  return (
    <Text
      span
      inherit
      className="user-text"
      title={text.length > LONG ? text : undefined}
      style={{
        whiteSpace: 'pre-wrap',
        display: 'inline-block',
        maxWidth: '32rem',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {shown}
    </Text>
  );
}
