import type { Script } from '@gatehouse/client';
import { scriptsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { type Column, Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { Page } from '../../kit/page.js';
import { Status } from '../../kit/status.js';
import { usePages } from '../../kit/use-pages.js';

export function ScriptListPage() {
  const place = usePlace();
  const query = usePages(scriptsListInfiniteOptions({ query: { limit: 25 } }));
  const columns = useMemo(
    (): Column<Script>[] => [
      {
        id: 'name',
        header: 'Script',
        cell: ({ slug, name, description }) => (
          <>
            <Anchor
              fw={600}
              className="user-text"
              renderRoot={(props) => (
                <Link to="/w/$workspace/$environment/scripts/$slug" params={{ ...place, slug }} {...props} />
              )}
            >
              {name}
            </Anchor>
            <Text size="sm" c="dimmed" className="user-text">
              {description || slug}
            </Text>
          </>
        ),
      },
      { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
      {
        id: 'last',
        header: 'Last run',
        align: 'right',
        cell: ({ stats }) => (stats.lastRunAt ? <Moment at={stats.lastRunAt} /> : 'never'),
      },
    ],
    [place],
  );
  return (
    <Page
      title="Scripts"
      actions={
        <Button
          renderRoot={(props) => (
            <Link to="/w/$workspace/$environment/scripts/new" params={place} {...props} />
          )}
        >
          New script
        </Button>
      }
    >
      <Listing label="Scripts" query={query} columns={columns} empty={<Empty title="No script yet" />} />
    </Page>
  );
}
