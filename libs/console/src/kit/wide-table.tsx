import { Box, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  label: string;
  head: readonly string[];
  /** The first of each row's cells names it. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Instead of a table without rows. */
  empty: string;
}

/** A table of numbers, scrolled sideways where there is no room. */
export function WideTable({ label, head, rows, empty }: WideTableProps) {
  if (rows.length === 0) return <Text size="sm">{empty}</Text>;
  return (
    <Box style={{ overflowX: 'auto' }} role="region" aria-label={`${label}, a table`} tabIndex={0}>
      <Table aria-label={label} miw={head.length * 80} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={head[index]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
