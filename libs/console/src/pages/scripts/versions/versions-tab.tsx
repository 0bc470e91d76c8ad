import type { ScriptVersion } from '@gatehouse/client/operations';
import { versionsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { sizeText } from '../../../kit/size-text.js';
import { Status } from '../../../kit/status.js';
import { usePages } from '../../../kit/use-pages.js';
import { useScript } from '../script-context.js';
import { listed } from './permissions.js';
import { PublishButton } from './publish-button.js';
import { usePublishing } from './use-publishing.js';

const VIA: Record<ScriptVersion['createdVia'], string> = {
  app: 'in the console',
  api: 'by the API',
  cli: 'by the command line',
};

export function VersionsTab() {
  const { slug } = useScript();
  const place = usePlace();
  const publishing = usePublishing();
  const query = usePages(versionsListInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useMemo(
    (): Column<ScriptVersion>[] => [
      {
        id: 'number',
        header: 'Version',
        ownLine: true,
        cell: ({ number, published }) => (
          <Group gap="xs">
            <Anchor
              fw={600}
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/scripts/$slug/versions/$number"
                  params={{ ...place, slug, number: String(number) }}
                  {...props}
                />
              )}
            >
              Version {number}
            </Anchor>
            {published && <Status status="published" />}
          </Group>
        ),
      },
      {
        id: 'made',
        header: 'Made',
        cell: ({ createdAt, createdVia }) => (
          <>
            <Moment at={createdAt} /> {VIA[createdVia]}
          </>
        ),
      },
      {
        id: 'reaches',
        header: 'Reaches',
        cell: ({ hosts }) => (
          <Text span size="sm" c={hosts.length === 0 ? 'dimmed' : undefined} className="user-text">
            {hosts.length === 0 ? 'no host' : listed(hosts)}
          </Text>
        ),
      },
      {
        id: 'size',
        header: 'Size',
        align: 'right',
        wideOnly: true,
        cell: ({ archiveBytes }) => sizeText(archiveBytes),
      },
      {
        id: 'publish',
        header: 'Publish',
        align: 'right',
        cell: ({ number }) => <PublishButton number={number} publishing={publishing} />,
      },
    ],
    [place, slug, publishing],
  );
  return (
    <Stack>
      {publishing.outcome}
      <Listing
        label="Versions"
        query={query}
        columns={columns}
        empty={
          <Empty title="No version yet">
            Edit the script to make its first one, or upload its folder by the command line or the API.
          </Empty>
        }
      />
    </Stack>
  );
}
