import { type Hook, hooksChange } from '@gatehouse/client/operations';
import { hooksListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
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
import { SCHEMES } from './hook-draft.js';

export function HooksTab() {
  const { slug } = useScript();
  const query = usePages(hooksListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useHookColumns();
  return (
    <AutomationList
      kind="hook"
      query={query}
      columns={columns}
      empty={{
        title: 'No hook in this environment',
        published:
          'A hook is an address to which others send requests: GitHub, Stripe, a shop. Each of them runs this script.',
        unpublished: 'Publish a version first; then requests can start it.',
      }}
    />
  );
}

function useHookColumns(): Column<Hook>[] {
  const place = usePlace();
  const { slug } = useScript();
  return useMemo(
    (): Column<Hook>[] => [
      {
        id: 'name',
        header: 'Hook',
        ownLine: true,
        cell: (hook) => (
          <AutomationSummary
            automation={hook}
            renderLink={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/hooks/$hookId"
                params={{ ...place, slug, hookId: hook.id }}
                {...props}
              />
            )}
          >
            {SCHEMES.find(({ value }) => value === hook.verify.scheme)?.label}
          </AutomationSummary>
        ),
      },
      {
        id: 'last',
        header: 'Last request',
        align: 'right',
        cell: ({ lastReceivedAt }) =>
          lastReceivedAt ? (
            <Moment at={lastReceivedAt} />
          ) : (
            <Text span size="sm" c="dimmed">
              none yet
            </Text>
          ),
      },
      {
        id: 'on',
        header: 'On',
        cell: ({ id, name, enabled }) => (
          <AutomationSwitch
            kind="hook"
            name={name}
            enabled={enabled}
            onChange={(next) => hooksChange({ path: { id }, body: { enabled: next } })}
          />
        ),
      },
    ],
    [place, slug],
  );
}
