import type { ErrorGroup } from '@gatehouse/client/operations';
import { errorsGetOptions, runsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';

import { AuditLink } from '../../app/audit-link.js';
import { usePlace } from '../../app/use-place.js';
import { CodeView } from '../../kit/code-view.js';
import { counted } from '../../kit/counted.js';
import { Empty } from '../../kit/empty.js';
import { Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { Page } from '../../kit/page.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { Section } from '../../kit/section.js';
import { Status } from '../../kit/status.js';
import { usePages } from '../../kit/use-pages.js';
import { runColumns } from '../runs/list/run-columns.js';
import { usePersonName } from '../runs/run/use-person-name.js';
import { ErrorActions } from './error-actions.js';

const LIST = '/w/$workspace/$environment/errors';

export function ErrorPage() {
  const { errorId: id } = useParams({ from: `${LIST}/$errorId` });
  const place = usePlace();
  const { data: error, isPending, error: problem, refetch } = useQuery(errorsGetOptions({ path: { id } }));
  return (
    <Page
      title={error?.title ?? 'Error'}
      crumbs={[{ label: 'Errors', link: { to: LIST, params: place } }]}
      actions={
        error && (
          <>
            <ErrorActions error={error} />
            <AuditLink target={error.id} />
          </>
        )
      }
    >
      {isPending && <Skeleton height={240} aria-hidden />}
      {problem && <ProblemNotice error={problem} onRetry={refetch} />}
      {error && (
        <>
          <ErrorFacts error={error} />
          <Section title="What its newest run said">
            <CodeView text={error.sample} path="error.txt" label="What its newest run said" />
          </Section>
          <Section title="Its runs">
            <ErrorRuns id={error.id} />
          </Section>
        </>
      )}
    </Page>
  );
}

function ErrorFacts({ error }: { error: ErrorGroup }) {
  const place = usePlace();
  const { script, environment, version, status, ignoreUntil, count, firstAt, lastAt } = error;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Status status={status} />
        {ignoreUntil !== null && (
          <Text size="sm">
            until <Moment at={ignoreUntil} />
          </Text>
        )}
      </Group>
      <Text size="sm" className="user-text">
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/scripts/$slug"
              params={{ ...place, slug: script.slug }}
              {...props}
            />
          )}
        >
          {script.slug}
        </Anchor>
        {` in ${environment}, last in version ${version}`}
        {error.place !== null && `, thrown in ${error.place}`}
      </Text>
      <Text size="sm">
        {counted(count, 'run')}, first <Moment at={firstAt} />, last <Moment at={lastAt} />
      </Text>
    </Stack>
  );
}

function ErrorRuns({ id }: { id: string }) {
  const place = usePlace();
  const nameOf = usePersonName();
  const query = usePages(runsListInfiniteOptions({ query: { limit: 20, errorId: id } }));
  const columns = useMemo(() => runColumns(place, nameOf), [place, nameOf]);
  return (
    <Listing label="Its runs" query={query} columns={columns} empty={<Empty title="Its runs are gone" />} />
  );
}
