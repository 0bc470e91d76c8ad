import { approvalsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import { usePlace } from '../../app/use-place.js';
import { Empty } from '../../kit/empty.js';
import { Page } from '../../kit/page.js';
import { usePages } from '../../kit/use-pages.js';
import { isDecidedInPlace, waitsForMe } from './approval.js';
import { ApprovalList } from './approval-list.js';
import { BrowserNoticesSwitch } from './browser-notices-switch.js';
import { ChosenRequests } from './decide/chosen-requests.js';
import { narrowed } from './narrowed.js';
import { groupHeading } from './request-group.js';
import { type RequestGroup, requestGroups } from './request-groups.js';
import { DECIDED, STATUS_LABELS, isDecided } from './status-labels.js';

export function InboxPage() {
  return (
    <Page title="Approvals" description="What waits for a person's yes, and what became of it.">
      <Waiting />
      <BrowserNoticesSwitch />
      <History />
    </Page>
  );
}

function Waiting() {
  const pending = usePages(approvalsListInfiniteOptions({ query: { status: 'pending', limit: 100 } }));
  const others = narrowed(pending, (request) => !waitsForMe(request));
  const hasOthers = others.data?.pages.some(({ items }) => items.length > 0);
  const [ids, setIds] = useState<string[]>([]);
  const groups = requestGroups(pending.data?.pages.flatMap(({ items }) => items.filter(waitsForMe)) ?? []);
  const chosen = groups.filter((group) => ids.includes(group.id) && mayBeChosen(group));
  return (
    <>
      <Stack gap="xs" component="section" aria-label="Waiting for you">
        <Title order={2}>Waiting for you</Title>
        <ChosenRequests requests={chosen.flatMap(({ requests }) => requests)} onDecided={() => setIds([])} />
        <ApprovalList
          decides
          chosen={{
            ids: chosen.map(({ id }) => id),
            onChange: setIds,
            nameOf: groupHeading,
            mayBe: mayBeChosen,
          }}
          label="Waiting for you"
          query={narrowed(pending, waitsForMe)}
          empty={
            <Empty title="Nothing waits for you">
              When a run is held, or somebody asks for something that you may approve, it is here and in your
              mail.
            </Empty>
          }
        />
      </Stack>
      {hasOthers && (
        <Stack gap="xs" component="section" aria-label="You asked">
          <Title order={2}>You asked, others decide</Title>
          <ApprovalList label="You asked, others decide" query={others} empty={null} />
        </Stack>
      )}
    </>
  );
}

const mayBeChosen = ({ requests }: RequestGroup): boolean => requests.every(isDecidedInPlace);

function History() {
  const place = usePlace();
  const navigate = useNavigate();
  const { status } = useSearch({ from: '/w/$workspace/$environment/approvals' });
  const query = usePages(
    approvalsListInfiniteOptions({ query: { limit: 25, ...(status !== undefined && { status }) } }),
  );
  const choose = (chosen: string): void =>
    void navigate({
      to: '/w/$workspace/$environment/approvals',
      params: place,
      search: isDecided(chosen) ? { status: chosen } : {},
    });
  return (
    <Stack gap="xs" component="section" aria-label="Decided">
      <Group justify="space-between">
        <Title order={2}>Decided</Title>
        <NativeSelect
          aria-label="Which"
          value={status ?? ''}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[
            { value: '', label: 'All' },
            ...DECIDED.map((value) => ({ value, label: STATUS_LABELS[value] })),
          ]}
        />
      </Group>
      <ApprovalList
        label="Decided"
        query={narrowed(query, (request) => request.status !== 'pending')}
        empty={<Empty title={status ? 'None of these' : 'Nothing was decided yet'} />}
      />
    </Stack>
  );
}
