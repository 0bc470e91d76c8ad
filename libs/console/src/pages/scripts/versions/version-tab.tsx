import { versionsFindOptions } from '@gatehouse/client/react-query';
import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';

import { Moment } from '../../../kit/moment.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import { useScript } from '../script-context.js';
import { AboutVersion } from './about-version.js';
import { BuildLog } from './build-log.js';
import { PublishButton } from './publish-button.js';
import { usePublishing } from './use-publishing.js';
import { VersionChanges } from './version-changes.js';
import { VersionFiles } from './version-files.js';
import { VERSION_VIEWS, type VersionSearch, type VersionView, versionSearchOf } from './version-search.js';

const LABELS: Record<VersionView, string> = {
  about: 'About',
  files: 'Files',
  changes: 'Changes',
  build: 'Build log',
};

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/versions/$number');

export function VersionTab() {
  const { slug, name } = useScript();
  const number = Number(route.useParams().number);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const publishing = usePublishing();
  const { data: version, error, refetch } = useQuery(versionsFindOptions({ path: { slug, number } }));
  usePageTitle(`Version ${number} of ${name}`);
  const show = (next: VersionSearch): void =>
    void navigate({ to: '.', search: versionSearchOf({ ...next }), resetScroll: false });
  if (!version) return error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={320} />;
  const { view = 'about' } = search;

  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2}>Version {number}</Title>
          {version.published && <Status status="published" />}
          <Text size="sm" c="dimmed">
            made <Moment at={version.createdAt} /> by{' '}
            <span className="user-text">{version.createdBy?.name ?? 'an API key'}</span>
          </Text>
        </Group>
        <PublishButton number={number} publishing={publishing} prominent />
      </Group>
      {version.message && (
        <Text size="sm" className="user-text" style={{ whiteSpace: 'pre-wrap' }} maw="48rem">
          {version.message}
        </Text>
      )}
      {publishing.outcome}
      <SegmentedControl
        aria-label="What of this version is shown"
        value={view}
        onChange={(chosen) => show({ view: chosen as VersionView })}
        data={VERSION_VIEWS.map((value) => ({ value, label: LABELS[value] }))}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'about' && <AboutVersion version={version} />}
      {view === 'files' && (
        <VersionFiles version={version} open={search.file} onOpen={(file) => show({ view: 'files', file })} />
      )}
      {view === 'changes' && (
        <VersionChanges
          version={version}
          against={search.against}
          onAgainst={(against) => show({ view: 'changes', against })}
        />
      )}
      {view === 'build' && <BuildLog log={version.buildLog} />}
    </Stack>
  );
}
