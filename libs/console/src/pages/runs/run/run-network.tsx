import type { RunNetwork as HostTraffic } from '@gatehouse/client/operations';
import { Table, Text } from '@mantine/core';

import { counted } from '../../../kit/counted.js';
import { LOCALE } from '../../../kit/locale.js';
import { durationText } from '../../../kit/moment.js';
import { sizeText } from '../../../kit/size-text.js';

/** What a run did over the network, host by host, and what was refused. */
export function RunNetwork({ hosts }: { hosts: readonly HostTraffic[] }) {
  if (hosts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It sent nothing over the network.
      </Text>
    );
  }
  return (
    <Table fz="sm" verticalSpacing={6} aria-label="Network">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Host</Table.Th>
          <Table.Th ta="right">Requests</Table.Th>
          <Table.Th ta="right">Refused</Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            Sent
          </Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            Received
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hosts.map(({ host, requests, denied, bytesIn, bytesOut, connections, seconds }) => (
          <Table.Tr key={host}>
            <Table.Td className="user-text">{host}</Table.Td>
            <Table.Td ta="right">
              {connections === undefined ? (
                requests.toLocaleString(LOCALE)
              ) : (
                <Connections count={connections} seconds={seconds} />
              )}
            </Table.Td>
            <Table.Td
              ta="right"
              c={denied > 0 ? 'var(--mantine-color-error)' : 'dimmed'}
              fw={denied > 0 ? 600 : undefined}
            >
              {denied.toLocaleString(LOCALE)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {sizeText(bytesOut)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {sizeText(bytesIn)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Of a host that is spoken to otherwise. */
function Connections({ count, seconds }: { count: number; seconds: number | undefined }) {
  return (
    <>
      {counted(count, 'connection')}
      {seconds !== undefined && (
        <Text size="xs" c="dimmed">
          open for {durationText(Math.round(seconds * 1000))}
        </Text>
      )}
    </>
  );
}
