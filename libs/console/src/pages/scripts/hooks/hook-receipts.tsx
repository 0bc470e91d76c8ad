import { type HookReceipt, hooksReplay } from '@gatehouse/client/operations';
import { hooksListReceiptsInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';

const WORDS: Record<HookReceipt['verdict'], string> = {
  accepted: 'Started a run',
  filtered: 'Left out by the filter',
  duplicate: 'Came before',
  handshake: 'Handshake',
  refused: 'Refused',
};

/** What came in for a hook. */
export function HookReceipts({ hookId }: { hookId: string }) {
  const query = usePages(hooksListReceiptsInfiniteOptions({ path: { id: hookId }, query: { limit: 25 } }));
  const columns = useReceiptColumns(hookId);
  return (
    <Stack gap="xs">
      <Title order={3}>What came in</Title>
      <Listing
        label="Receipts"
        query={query}
        columns={columns}
        empty={<Empty title="No request yet">Each request to the address is shown here.</Empty>}
      />
    </Stack>
  );
}

function useReceiptColumns(hookId: string): Column<HookReceipt>[] {
  const place = usePlace();
  return useMemo(
    (): Column<HookReceipt>[] => [
      {
        id: 'verdict',
        header: 'Request',
        ownLine: true,
        cell: ({ verdict, reason, runId }) => (
          <>
            {runId === null ? (
              <Text span size="sm">
                {WORDS[verdict]}
              </Text>
            ) : (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId }} {...props} />
                )}
              >
                {WORDS[verdict]}
              </Anchor>
            )}
            {reason && (
              <Text size="sm" c="dimmed" className="user-text">
                {reason}
              </Text>
            )}
          </>
        ),
      },
      { id: 'at', header: 'When', align: 'right', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
      {
        id: 'replay',
        header: 'Again',
        cell: ({ id, verdict }) =>
          verdict === 'refused' ? null : <ReplayButton hookId={hookId} receiptId={id} />,
      },
    ],
    [place, hookId],
  );
}

function ReplayButton({ hookId: id, receiptId }: { hookId: string; receiptId: string }) {
  const refresh = useRefresh();
  const replay = async (): Promise<void> => {
    try {
      await hooksReplay({ path: { id, receiptId }, body: {} });
      notifyDone('It runs once more.');
      await refresh(...staleAfter('run.started'));
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <Button size="compact-sm" variant="default" onClick={() => void replay()}>
      Run again
    </Button>
  );
}
