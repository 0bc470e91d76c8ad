import { errorsListOptions } from '@gatehouse/client/react-query';
import { Anchor, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../app/use-place.js';
import { counted } from '../../kit/counted.js';
import { Moment } from '../../kit/moment.js';
import { ProblemNotice } from '../../kit/problem-notice.js';

/** The newest are looked through. */
const MOST = 100;
const SHOWN = 5;
const ERRORS = '/w/$workspace/$environment/errors';

interface TopErrorsProps {
  script?: string | undefined;
  environment?: string | undefined;
  since: string;
}

/** The open errors that came in a period, those of most runs first. */
export function TopErrors({ script, environment, since }: TopErrorsProps) {
  const place = usePlace();
  const narrowed = { ...(script && { script }), ...(environment && { environment }) };
  const { data, error, refetch } = useQuery({
    ...errorsListOptions({ query: { ...narrowed, status: 'open', limit: MOST } }),
  });
  const came = (data?.items ?? []).filter(({ lastAt }) => Date.parse(lastAt) >= Date.parse(since));
  const top = came.toSorted((one, other) => other.count - one.count).slice(0, SHOWN);
  return (
    <Paper withBorder p="md" component="section" aria-label="Top errors">
      <Stack gap="xs">
        <Title order={2} fz="sm">
          Top errors
        </Title>
        {!data && error && <ProblemNotice error={error} onRetry={refetch} />}
        {data && top.length === 0 && (
          <Text size="sm" c="dimmed">
            No open error came in this time.
          </Text>
        )}
        <List size="sm" spacing="xs" listStyleType="none">
          {top.map(({ id, title, count, firstAt, lastAt, script: { slug } }) => (
            <List.Item key={id}>
              <Anchor
                size="sm"
                className="user-text"
                renderRoot={(props) => (
                  <Link to={`${ERRORS}/$errorId`} params={{ ...place, errorId: id }} {...props} />
                )}
              >
                {title}
              </Anchor>
              <Text size="sm" c="dimmed">
                {script === undefined && `${slug} · `}
                {counted(count, 'run')} since <Moment at={firstAt} />, last <Moment at={lastAt} />
              </Text>
            </List.Item>
          ))}
        </List>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to={ERRORS} params={place} search={script ? { script } : {}} {...props} />
          )}
        >
          {script === undefined ? 'All errors' : 'All errors of this script'}
        </Anchor>
      </Stack>
    </Paper>
  );
}
