import type { EventType } from '@gatehouse/client/operations';
import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { Accordion, Box, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import IconSearch from 'icon:search';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { usePlace } from '../../app/use-place.js';
import { CodeView } from '../../kit/code-view.js';
import { Described } from '../../kit/described.js';
import { Empty } from '../../kit/empty.js';
import { Page } from '../../kit/page.js';
import { ProblemNotice } from '../../kit/problem-notice.js';

export function EventTypesPage() {
  const place = usePlace();
  const [sought, setSought] = useState('');
  const { data, isPending, error, refetch } = useQuery(eventTypesListOptions());
  const found = useMemo(() => {
    const words = sought.toLowerCase().trim();
    return data?.items.filter(({ type, description }) =>
      `${type} ${description}`.toLowerCase().includes(words),
    );
  }, [data, sought]);
  return (
    <Page
      title="Event types"
      description="What endpoints and triggers can be told of. Each event has an id, its type, when it happened, and its data."
      crumbs={[{ label: 'Webhooks', link: { to: '/w/$workspace/$environment/webhooks', params: place } }]}
    >
      <TextInput
        aria-label="Find an event type"
        placeholder="Find an event type"
        leftSection={<IconSearch size={16} aria-hidden />}
        maw={360}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      {isPending && <Skeleton height={320} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {found?.length === 0 && <Empty title="No such type">Try another word.</Empty>}
      {found && found.length > 0 && (
        <Accordion variant="contained" keepMounted={false} order={2}>
          {found.map((type) => (
            <Accordion.Item key={type.type} value={type.type}>
              <Accordion.Control>
                <Text size="sm" fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {type.type}
                </Text>
                <Text size="sm" c="dimmed">
                  <Described text={type.description} />
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <TypeDetail type={type} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Page>
  );
}

function TypeDetail({ type: { type, schema, example, environmentScoped } }: { type: EventType }) {
  return (
    <Stack gap="md">
      <Text size="sm">
        {environmentScoped
          ? 'It belongs to one environment, and only that one’s endpoints and triggers get it.'
          : 'It belongs to no environment: the endpoints and triggers of all of them get it.'}
      </Text>
      <Part title="Example of data" path={`${type}.example.json`} value={example} />
      <Part title="Schema of data" path={`${type}.schema.json`} value={schema} />
    </Stack>
  );
}

function Part({ title, path, value }: { title: string; path: string; value: unknown }) {
  return (
    <Box>
      <Title order={3} size="sm" mb={4}>
        {title}
      </Title>
      <CodeView text={JSON.stringify(value, null, 2)} path={path} label={title} />
    </Box>
  );
}
