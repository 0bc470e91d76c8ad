import type { PlannedRequest, Run } from '@gatehouse/client/operations';
import { plannedRequestsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Accordion, Button, Group, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';

import { CodeView } from '../../../kit/code-view.js';
import { counted } from '../../../kit/counted.js';
import { LOCALE } from '../../../kit/locale.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';
import { sizeText } from '../../../kit/size-text.js';
import { usePages } from '../../../kit/use-pages.js';
import { addressOf, bodyName, bodyText } from './planned-request.js';

/** What a plan that has ended would have sent, in order. */
export function PlannedRequests({ run }: { run: Run }) {
  const { id, plannedRequests: count } = run;
  const query = usePages(plannedRequestsListInfiniteOptions({ path: { runId: id }, query: { limit: 50 } }));
  const [open, setOpen] = useState<string[]>([]);
  const requests = query.data?.pages.flatMap(({ items }) => items);
  return (
    <Section
      title="What it would have sent"
      description={described(count, query.hasNextPage ? null : (requests?.length ?? null))}
    >
      {query.error && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      {query.isPending && <Skeleton height={48} />}
      {requests && requests.length > 0 && (
        <Accordion multiple value={open} onChange={setOpen} variant="contained" order={3}>
          {requests.map((request) => (
            <Planned key={request.number} request={request} isOpen={open.includes(String(request.number))} />
          ))}
        </Accordion>
      )}
      {query.hasNextPage && (
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}

/** @param listed null: it is not known yet how many there are in the list */
function described(count: number, listed: number | null): string {
  if (listed === null || listed >= count) return counted(count, 'request');
  if (listed === 0) return `${counted(count, 'request')}. The list is not kept any more.`;
  return `The first ${listed} of ${count.toLocaleString(LOCALE)}.`;
}

function Planned({ request, isOpen }: { request: PlannedRequest; isOpen: boolean }) {
  const { number, method } = request;
  return (
    <Accordion.Item value={String(number)}>
      <Accordion.Control>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {number}
          </Text>
          <Text size="sm" fw={600}>
            {method}
          </Text>
          <Text size="sm" className="user-text" lineClamp={2}>
            {addressOf(request)}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>{isOpen && <Content request={request} />}</Accordion.Panel>
    </Accordion.Item>
  );
}

function Content({ request }: { request: PlannedRequest }) {
  const { headers, body } = request;
  const text = bodyText(request);
  return (
    <>
      {headers.length > 0 && (
        <Text component="pre" size="xs" className="user-text" mb="xs" style={{ whiteSpace: 'pre-wrap' }}>
          {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </Text>
      )}
      {text !== '' && (
        <CodeView text={text} path={bodyName(request)} label={`Body of request ${request.number}`} />
      )}
      {body.sha256 !== null && body.bytes > 0 && (
        <Text size="sm" c="dimmed" className="user-text">
          {sizeText(body.bytes)}, SHA-256 {body.sha256}
        </Text>
      )}
    </>
  );
}
