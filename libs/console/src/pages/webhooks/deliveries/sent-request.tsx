import { deliveriesRequestOptions } from '@gatehouse/client/react-query';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { CodeView } from '../../../kit/code-view.js';
import { CopyButton } from '../../../kit/copy-button.js';
import { HeaderList } from '../../../kit/header-list.js';
import { indentedJson } from '../../../kit/indented-json.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { curlOf } from './curl-of.js';

interface SentRequestProps {
  endpointId: string;
  deliveryId: string;
  /** null: as it will be sent. */
  attempt: number | null;
}

/** The request of an attempt: where to, its headers and its body. */
export function SentRequest({ endpointId, deliveryId, attempt }: SentRequestProps) {
  const { data, error, refetch } = useQuery(
    deliveriesRequestOptions({
      path: { endpointId, deliveryId },
      query: attempt === null ? {} : { attempt },
    }),
  );
  const body = useMemo(() => data && indentedJson(data.body), [data]);
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!data || body === undefined) return <Skeleton height={200} aria-hidden />;
  return (
    <Stack gap="xs">
      <Text size="sm" className="user-text">
        <b>{data.method}</b> {data.url}
      </Text>
      <HeaderList label="Headers" headers={data.headers} />
      {data.attempt === null && (
        <Text size="xs" c="dimmed">
          Its time and signature are added at each attempt.
        </Text>
      )}
      <CodeView text={body} path={`${deliveryId}.json`} label="Body" maxHeight="18rem" />
      <Group gap="xs">
        <CopyButton value={curlOf(data)} label="Copy as curl" />
        <CopyButton value={data.body} label="Copy the body" />
      </Group>
    </Stack>
  );
}
