import { errorsListOptions } from '@gatehouse/client/react-query';
import { Anchor, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { counted } from '../../../kit/counted.js';
import { Moment } from '../../../kit/moment.js';
import { useScript } from '../script-context.js';

const SHOWN = 5;
const ERRORS = '/w/$workspace/$environment/errors';

/** What it fails of lately. */
export function OpenErrors() {
  const { slug } = useScript();
  const place = usePlace();
  const { data } = useQuery(errorsListOptions({ query: { script: slug, status: 'open', limit: SHOWN } }));
  return (
    <Paper withBorder p="md" component="section" aria-label="Open errors">
      <Stack gap="xs">
        <Title order={2} fz="sm">
          Open errors
        </Title>
        {data?.items.length === 0 && (
          <Text size="sm" c="dimmed">
            No error is open.
          </Text>
        )}
        <List size="sm" spacing="xs" listStyleType="none">
          {data?.items.map(({ id, title, count, lastAt }) => (
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
                {counted(count, 'run')}, last <Moment at={lastAt} />
              </Text>
            </List.Item>
          ))}
        </List>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to={ERRORS} params={place} search={{ script: slug }} {...props} />}
        >
          All errors of this script
        </Anchor>
      </Stack>
    </Paper>
  );
}
