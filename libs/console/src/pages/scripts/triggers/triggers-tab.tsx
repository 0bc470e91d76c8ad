import { type Trigger, triggersChange } from '@gatehouse/client';
import { triggersListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationSwitch } from '../automation-switch.js';
import { useScript } from '../script-context.js';
import { textOfValue } from './template-text.js';

export function TriggersTab() {
  const { slug, publishedVersion } = useScript();
  const query = usePages(triggersListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useTriggerColumns();
  const some = (query.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <Stack>
      {some && publishedVersion !== null && (
        <Group justify="flex-end">
          <NewTriggerButton />
        </Group>
      )}
      <Listing
        label="Triggers"
        query={query}
        columns={columns}
        empty={
          <Empty
            title="No trigger in this environment"
            action={publishedVersion === null ? undefined : <NewTriggerButton />}
          >
            {publishedVersion === null
              ? 'Publish a version first; then events can start it.'
              : 'A trigger runs this script when something happens here: another run failed, a member joined, a version was published.'}
          </Empty>
        }
      />
    </Stack>
  );
}

function NewTriggerButton() {
  const place = usePlace();
  const { slug } = useScript();
  return (
    <Button
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts/$slug/triggers/new"
          params={{ ...place, slug }}
          {...props}
        />
      )}
    >
      New trigger
    </Button>
  );
}

function useTriggerColumns(): Column<Trigger>[] {
  const place = usePlace();
  const { slug } = useScript();
  const refresh = useRefresh();
  return useMemo(
    (): Column<Trigger>[] => [
      {
        id: 'name',
        header: 'Trigger',
        ownLine: true,
        cell: ({ id, name, eventType, filter, disabledReason }) => (
          <>
            <Anchor
              fw={600}
              size="sm"
              className="user-text"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/scripts/$slug/triggers/$triggerId"
                  params={{ ...place, slug, triggerId: id }}
                  {...props}
                />
              )}
            >
              {name}
            </Anchor>
            <Text size="sm" c="dimmed" className="user-text">
              on <Code>{eventType}</Code>
              {Object.keys(filter).length > 0 && ` when ${filterText(filter)}`}
            </Text>
            {disabledReason && (
              <Text size="sm" className="user-text">
                Switched off by the service: {disabledReason}
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'last',
        header: 'Last fired',
        align: 'right',
        cell: ({ lastFiredAt }) =>
          lastFiredAt ? (
            <Moment at={lastFiredAt} />
          ) : (
            <Text span size="sm" c="dimmed">
              never fired
            </Text>
          ),
      },
      {
        id: 'on',
        header: 'On',
        cell: ({ id, name, enabled }) => (
          <AutomationSwitch
            name={name}
            enabled={enabled}
            onChange={async (next) => {
              await triggersChange({ path: { id }, body: { enabled: next } });
              await refresh(...staleAfter('trigger.changed'));
            }}
          />
        ),
      },
    ],
    [place, slug, refresh],
  );
}

function filterText(filter: Record<string, unknown>): string {
  return Object.entries(filter)
    .map(([path, value]) => `${path} is ${textOfValue(value)}`)
    .join(' and ');
}
