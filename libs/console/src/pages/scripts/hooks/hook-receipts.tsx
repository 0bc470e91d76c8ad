import type { HookReceipt } from '@gatehouse/client/operations';
import { hooksListReceiptsInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyProblem } from '../../../kit/notify.js';
import { usePages } from '../../../kit/use-pages.js';
import { ReceiptDetail } from './receipt-detail.js';
import { useReplay } from './use-replay.js';

const WORDS: Record<HookReceipt['verdict'], string> = {
  accepted: 'Started a run',
  filtered: 'Left out by the filter',
  duplicate: 'Came before',
  handshake: 'Handshake',
  refused: 'Refused',
};

/** What came in for a hook of a script. */
export function HookReceipts({ hookId, slug }: { hookId: string; slug: string }) {
  const query = usePages(hooksListReceiptsInfiniteOptions({ path: { id: hookId }, query: { limit: 25 } }));
  const [open, setOpen] = useState<HookReceipt | null>(null);
  const columns = useReceiptColumns(hookId, setOpen);
  const close = (): void => setOpen(null);
  return (
    <Stack gap="xs">
      <Title order={3}>What came in</Title>
      <Listing
        label="Receipts"
        query={query}
        columns={columns}
        empty={<Empty title="No request yet">Each request to the address is shown here.</Empty>}
      />
      <FormDialog
        title={open ? WORDS[open.verdict] : 'Request'}
        size="min(760px, 100%)"
        opened={open !== null}
        onClose={close}
      >
        {open && <ReceiptDetail hookId={hookId} slug={slug} receiptId={open.id} onClose={close} />}
      </FormDialog>
    </Stack>
  );
}

function useReceiptColumns(hookId: string, onOpen: (receipt: HookReceipt) => void): Column<HookReceipt>[] {
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
        id: 'acts',
        header: 'Actions',
        cell: (receipt) => (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-haspopup="dialog"
              onClick={() => onOpen(receipt)}
            >
              Show
            </Button>
            {receipt.runId !== null && <ReplayButton hookId={hookId} receiptId={receipt.id} />}
          </Group>
        ),
      },
    ],
    [place, hookId, onOpen],
  );
}

function ReplayButton({ hookId, receiptId }: { hookId: string; receiptId: string }) {
  const replay = useReplay(hookId, receiptId);
  return (
    <Button size="compact-sm" variant="default" onClick={() => void replay({}).catch(notifyProblem)}>
      Run again
    </Button>
  );
}
