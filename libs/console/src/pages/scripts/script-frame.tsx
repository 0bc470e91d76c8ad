import { scriptsDetailOptions } from '@gatehouse/client/react-query';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, getRouteApi } from '@tanstack/react-router';

import { AuditLink } from '../../app/audit-link.js';
import { usePlace, useRights } from '../../app/use-place.js';
import { Page } from '../../kit/page.js';
import { ProblemPage } from '../../kit/problem-page.js';
import { Status } from '../../kit/status.js';
import { TagLink } from './list/tag-link.js';
import { ScriptContext } from './script-context.js';
import { ScriptNotice } from './script-notice.js';
import { ScriptTabs } from './script-tabs.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug');

/** What every part of a script's page has above it. */
export function ScriptFrame() {
  const { slug } = route.useParams();
  const place = usePlace();
  const { edits } = useRights();
  const { data: script, error, refetch } = useQuery(scriptsDetailOptions({ path: { slug } }));
  if (!script) {
    return error ? <ProblemPage error={error} retry={() => void refetch()} /> : <FrameSkeleton />;
  }
  return (
    <ScriptContext value={script}>
      <Page
        title={script.name}
        heading={
          <Group gap="xs" component="span">
            {script.name}
            <Status status={script.status} />
          </Group>
        }
        crumbs={[{ label: 'Scripts', link: { to: '/w/$workspace/$environment/scripts', params: place } }]}
        actions={
          <>
            <AuditLink target={script.id} />
            {edits && script.status !== 'archived' && <EditButton slug={slug} />}
          </>
        }
        description={
          <Group gap={6}>
            {script.description || <code>{script.slug}</code>}
            {script.tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
          </Group>
        }
      >
        <Stack gap="md">
          <ScriptTabs />
          <ScriptNotice />
          <Outlet />
        </Stack>
      </Page>
    </ScriptContext>
  );
}

function EditButton({ slug }: { slug: string }) {
  const place = usePlace();
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/w/$workspace/$environment/scripts/$slug/edit" params={{ ...place, slug }} {...props} />
      )}
    >
      Edit
    </Button>
  );
}

function FrameSkeleton() {
  return (
    <Stack gap="lg" aria-busy aria-label="The script is being read">
      <Stack gap={8}>
        <Skeleton height={16} width={60} />
        <Skeleton height={26} width={260} />
        <Skeleton height={16} width={360} maw="100%" />
      </Stack>
      <Skeleton height={36} />
      <Text component="span" className="visually-hidden">
        Loading
      </Text>
      <Skeleton height={240} />
    </Stack>
  );
}
