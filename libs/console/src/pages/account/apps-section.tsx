import { type ConnectedApp, connectedAppsDisconnect } from '@gatehouse/client/operations';
import { connectedAppsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

import { confirmDestruction } from '../../kit/confirm.js';
import { Empty } from '../../kit/empty.js';
import { type Column, Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { Section } from '../../kit/section.js';
import { usePages } from '../../kit/use-pages.js';
import { scopesText } from './tokens/scope-words.js';
import { useScopes } from './tokens/use-scopes.js';

export function AppsSection() {
  const query = usePages(connectedAppsListInfiniteOptions({ query: { limit: 25 } }));
  return (
    <Section
      title="Connected apps"
      description="Agents and other apps that act for you. Each does what you may do, within what you granted it."
    >
      <Listing
        label="Connected apps"
        query={query}
        columns={useColumns()}
        empty={<Empty title="No app yet">An app asks you here when you add this Gatehouse to it.</Empty>}
      />
    </Section>
  );
}

function useColumns(): Column<ConnectedApp>[] {
  const queries = useQueryClient();
  const all = useScopes();
  return useMemo(() => {
    const disconnect = async (id: string, name: string): Promise<void> => {
      await connectedAppsDisconnect({ path: { id } }).then(
        () => notifyDone(`${name} is disconnected.`),
        notifyProblem,
      );
      await queries.invalidateQueries();
    };
    return [
      {
        id: 'name',
        header: 'App',
        cell: ({ name, host, scopes, workspace, environment }) => (
          <>
            <Text span size="sm" fw={600} className="user-text">
              {name}
            </Text>{' '}
            {host !== null && (
              <Text span size="sm" c="dimmed" className="user-text">
                {host}
              </Text>
            )}
            <Text size="sm" c="dimmed" className="user-text">
              {scopesText(scopes, all)} in {workspace.name}
              {environment !== null && `, only ${environment}`}
            </Text>
          </>
        ),
      },
      {
        id: 'used',
        header: 'Last used',
        cell: ({ lastUsedAt, createdAt }) => (
          <>
            {lastUsedAt === null ? 'never used' : <Moment at={lastUsedAt} />}
            <Text size="sm" c="dimmed">
              connected <Moment at={createdAt} />
            </Text>
          </>
        ),
      },
      {
        id: 'disconnect',
        header: 'Disconnect',
        align: 'right',
        cell: ({ id, name }) => (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Disconnect ${name}`}
            onClick={() =>
              confirmDestruction({
                title: `Disconnect ${name}?`,
                children: 'It can do nothing any more, from now on. Runs that it started go on.',
                confirm: 'Disconnect',
                onConfirm: () => void disconnect(id, name),
              })
            }
          >
            Disconnect
          </Button>
        ),
      },
    ];
  }, [queries, all]);
}
