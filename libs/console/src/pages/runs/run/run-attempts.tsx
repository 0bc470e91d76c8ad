import type { RunAttempt } from '@gatehouse/client/operations';
import { Table } from '@mantine/core';

import { counted } from '../../../kit/counted.js';
import { LOCALE } from '../../../kit/locale.js';
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
            Network
          </Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            Lines
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {attempts.map(({ attempt, error, durationMs, network, logLines }) => (
          <Table.Tr key={attempt}>
            <Table.Td>{attempt}</Table.Td>
            <Table.Td className="user-text">{error ?? '–'}</Table.Td>
            <Table.Td ta="right">{durationMs === null ? '–' : durationText(durationMs)}</Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {networkText(network)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {logLines.toLocaleString(LOCALE)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function networkText(network: RunAttempt['network']): string {
  if (network.length === 0) return '–';
  const sum = (of: 'requests' | 'denied'): number => network.reduce((all, host) => all + host[of], 0);
  return `${counted(sum('requests'), 'request')}${sum('denied') > 0 ? `, ${sum('denied')} refused` : ''}`;
}
