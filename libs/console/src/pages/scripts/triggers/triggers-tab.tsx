import { type Trigger, triggersChange } from '@gatehouse/client/operations';
import { triggersListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';
import { Code, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { usePages } from '../../../kit/use-pages.js';
import { AutomationList } from '../automations/automation-list.js';
import { AutomationSummary } from '../automations/automation-summary.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import { useScript } from '../script-context.js';
import { textOfValue } from './template-text.js';

export function TriggersTab() {
  const { slug } = useScript();
  const query = usePages(triggersListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useTriggerColumns();
  return (
    <AutomationList
      kind="trigger"
      query={query}
      columns={columns}
      empty={{
        title: 'No trigger in this environment',
        published:
          'A trigger runs this script when something happens here: another run failed, a member joined, a version was published.',
        unpublished: 'Publish a version first; then events can start it.',
      }}
    />
  );
}

function useTriggerColumns(): Column<Trigger>[] {
  const place = usePlace();
  const { slug } = useScript();
  return useMemo(
    (): Column<Trigger>[] => [
      {
        id: 'name',
        header: 'Trigger',
        ownLine: true,
        cell: (trigger) => (
          <AutomationSummary
            automation={trigger}
            renderLink={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/triggers/$triggerId"
                params={{ ...place, slug, triggerId: trigger.id }}
                {...props}
              />
            )}
          >
            on <Code>{trigger.eventType}</Code>
            {Object.keys(trigger.filter).length > 0 && ` when ${filterText(trigger.filter)}`}
          </AutomationSummary>
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
            kind="trigger"
            name={name}
            enabled={enabled}
            onChange={(next) => triggersChange({ path: { id }, body: { enabled: next } })}
          />
        ),
      },
    ],
    [place, slug],
  );
}

function filterText(filter: Record<string, unknown>): string {
  return Object.entries(filter)
    .map(([path, value]) => `${path} is ${textOfValue(value)}`)
    .join(' and ');
}
