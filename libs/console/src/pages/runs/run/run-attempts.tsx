import type { RunAttempt } from '@gatehouse/client/operations';
import { Table } from '@mantine/core';

import { durationText } from '../../../kit/moment.js';

/** The attempts of a run that was tried again, and why each did not end well. */
export function RunAttempts({ attempts }: { attempts: readonly RunAttempt[] }) {
  return (
    <Table fz="sm" verticalSpacing={6} aria-label="Attempts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Attempt</Table.Th>
          <Table.Th>Why it did not end well</Table.Th>
          <Table.Th ta="right">Ran</Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            Lines
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {attempts.map(({ attempt, error, durationMs, logLines }) => (
          <Table.Tr key={attempt}>
            <Table.Td>{attempt}</Table.Td>
            <Table.Td className="user-text">{error ?? '–'}</Table.Td>
            <Table.Td ta="right">{durationMs === null ? '–' : durationText(durationMs)}</Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {logLines.toLocaleString('en')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
