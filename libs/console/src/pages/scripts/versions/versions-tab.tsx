import type { ScriptVersion } from '@gatehouse/client/operations';
import { versionsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { sizeText } from '../../../kit/size-text.js';
import { Status } from '../../../kit/status.js';
import { usePages } from '../../../kit/use-pages.js';
import { useScript } from '../script-context.js';
import { CompareVersions } from './compare-versions.js';
import { listed } from './permissions.js';
import { PublishButton } from './publish-button.js';
import { usePublishing } from './use-publishing.js';
import { VersionRuns } from './version-runs.js';
import { useVersionCounts } from './use-version-counts.js';

const VIA: Record<ScriptVersion['createdVia'], string> = {
  app: 'in the console',
  api: 'by the API',
  cli: 'by the command line',
};

export function VersionsTab() {
  const { slug } = useScript();
  const place = usePlace();
  const publishing = usePublishing();
  const countsOf = useVersionCounts(slug);
  const [ids, setIds] = useState<string[]>([]);
  const query = usePages(versionsListInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useMemo(
    (): Column<ScriptVersion>[] => [
      {
        id: 'number',
        header: 'Version',
        ownLine: true,
        cell: ({ number, published, message }) => (
          <>
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
            {message && <Message text={message} />}
          </>
        ),
      },
      {
        id: 'made',
        header: 'Made',
        cell: ({ createdAt, createdBy, createdVia }) => (
          <>
            <span className="user-text">{createdBy?.name ?? 'An API key'}</span>
            <Text size="xs" c="dimmed">
              <Moment at={createdAt} /> {VIA[createdVia]}
            </Text>
          </>
        ),
      },
      {
        id: 'runs',
        header: 'Runs, 30 days',
        cell: ({ number }) => <VersionRuns counts={countsOf?.(number)} />,
      },
      {
        id: 'reaches',
        header: 'Reaches',
        wideOnly: true,
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
    [place, slug, publishing, countsOf],
  );
  return (
    <Stack>
      {publishing.outcome}
      {ids.length > 0 && <CompareVersions versions={chosenOf(query.data, ids)} onNone={() => setIds([])} />}
      <Listing
        label="Versions"
        query={query}
        columns={columns}
        chosen={{ ids, onChange: setIds, nameOf: ({ number }) => `version ${number}` }}
        empty={
          <Empty title="No version yet">
            Edit the script to make its first one, or upload its folder by the command line or the API.
          </Empty>
        }
      />
    </Stack>
  );
}

/** Its first line; all of it is on the version's page. */
function Message({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" className="user-text" lineClamp={1} maw={420} title={text}>
      {text.split('\n', 1)[0]}
    </Text>
  );
}

function chosenOf(
  data: { pages: { items: ScriptVersion[] }[] } | undefined,
  ids: readonly string[],
): ScriptVersion[] {
  return data?.pages.flatMap(({ items }) => items.filter(({ id }) => ids.includes(id))) ?? [];
}
