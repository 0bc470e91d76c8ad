import type { ApprovalRequest } from '@gatehouse/client/operations';
import { approvalsGetOptions, approvalsGetQueryKey } from '@gatehouse/client/react-query';
import { Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { usePeople } from '../../app/use-people.js';
import { Moment } from '../../kit/moment.js';
import { usePageTitle } from '../../kit/page-title.js';
import { askerOf, headingOf, meansOf, runIdOf, waitsForMe } from './approval.js';
import type { FoundRequest } from './find-request.js';
import { RunProgress } from './run-progress.js';
import { useVersions } from './use-versions.js';
import { Verdict } from './verdict.js';
import { VerdictForm } from './verdict-form.js';
import { WhatHappens } from './what-happens.js';

/** Who asks, what exactly will happen, yes or no; afterwards who decided, and what came of it. */
export function Decision({ request: found, place }: FoundRequest) {
  const queries = useQueryClient();
  const path = { id: found.id };
  const query = useQuery({ ...approvalsGetOptions({ path }), initialData: found });
  // What only the person who approves gets to see is in that one response.
  const [own, setOwn] = useState<ApprovalRequest | null>(null);
  const request: ApprovalRequest = own ? { ...own, previous: query.data.previous } : query.data;
  const versions = useVersions(request);
  const runId = runIdOf(request);
  const decided = (after: ApprovalRequest): void => {
    setOwn(after);
    void queries.invalidateQueries();
  };
  usePageTitle(headingOf(request));

  return (
    <Stack gap="md">
      <div>
        <Asker request={request} />
        <Title order={1} className="user-text" mt={4}>
          {headingOf(request)}
        </Title>
      </div>
      {request.status !== 'pending' && <Verdict request={request} />}
      {request.status !== 'pending' && runId !== null && <RunProgress runId={runId} place={place} />}
      <WhatHappens request={request} versions={versions} />
      {waitsForMe(request) && (
        <VerdictForm
          request={request}
          ready={!versions.pending}
          onDecided={decided}
          onRefused={() => void queries.invalidateQueries({ queryKey: approvalsGetQueryKey({ path }) })}
        />
      )}
      {request.status === 'pending' && !waitsForMe(request) && (
        <Text size="sm">
          Somebody else has to decide this: they were told. This page shows it when they did.
        </Text>
      )}
    </Stack>
  );
}

function Asker({ request }: { request: ApprovalRequest }) {
  const { createdAt, status, expiresAt } = request;
  const nameOf = usePeople();
  const name = askerOf(request, nameOf);
  return (
    <Text className="user-text">
      <b>{name}</b> {name === 'You' ? 'ask' : 'asks'}
      {meansOf(request)}{' '}
      <Text span c="dimmed" size="sm">
        <Moment at={createdAt} />
        {status === 'pending' && (
          <>
            {' '}
            · ends <Moment at={expiresAt} />
          </>
        )}
      </Text>
    </Text>
  );
}
