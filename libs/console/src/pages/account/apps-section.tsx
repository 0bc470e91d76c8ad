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
import { AppBudget } from './app-budget.js';
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
        cell: ({ name, scopes, workspace, environment, scripts, scriptTags, ...known }) => (
          <>
            <Text span size="sm" fw={600} className="user-text">
              {name}
            </Text>{' '}
            <Text span size="sm" c="dimmed" className="user-text">
              {knownText(known)}
            </Text>
            <Text size="sm" c="dimmed" className="user-text">
              {scopesText(scopes, all)} in {workspace.name}
              {environment !== null && `, only ${environment}`}
              {chosenText(scripts, scriptTags)}
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
        id: 'budget',
        header: 'Budget',
        align: 'right',
        cell: (app) => <AppBudget app={app} />,
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

/** How far its name is to be believed. */
function knownText({
  registered,
  host,
  redirectHost,
}: Pick<ConnectedApp, 'registered' | 'host' | 'redirectHost'>) {
  const at = redirectHost === null ? '' : ` (${redirectHost})`;
  switch (registered) {
    case 'document':
      return host;
    case 'operator':
      return `registered by the operator${at}`;
    case 'built_in':
      return 'a part of Gatehouse';
    case 'dynamic':
      return `registered itself${at}`;
  }
}

/** Which scripts there are for it, where its person chose some. */
function chosenText(scripts: number | null, tags: readonly string[] | null): string {
  if (scripts === null && tags === null) return '';
  const named = scripts === null ? [] : [scripts === 1 ? '1 script' : `${scripts} scripts`];
  const tagged = tags === null ? [] : [`those tagged ${tags.join(', ')}`];
  return `, for ${[...named, ...tagged].join(' and ')}`;
}
