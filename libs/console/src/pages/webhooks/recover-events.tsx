import { deliveriesRecover } from '@gatehouse/client/operations';
import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { counted } from '../../kit/counted.js';
import { DialogForm } from '../../kit/dialog-form.js';
import { problemAt } from '../../kit/form-problem.js';
import { notifyDone } from '../../kit/notify.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { localMinute } from '../../kit/local-minute.js';

const DAY_MS = 86_400_000;
const MOST_DAYS = 30;

interface RecoverEventsProps {
  endpointId: string;
  /** What is offered at first; left out, a day ago. */
  since?: string | undefined;
  onClose: () => void;
}

export function RecoverEvents({ endpointId, since: offered, onClose }: RecoverEventsProps) {
  const [now] = useState(Date.now);
  const [since, setSince] = useState(localMinute(offered === undefined ? now - DAY_MS : Date.parse(offered)));
  const refresh = useRefresh();
  const recovery = useMutation({
    mutationFn: () =>
      deliveriesRecover({ path: { endpointId }, body: { since: new Date(since).toISOString() } }),
    onSuccess: async ({ data: { queued } }) => {
      await refresh('deliveriesList', 'deliveriesStatistics', 'endpointsGet');
      notifyDone(
        queued === 0
          ? 'Nothing was missed since then.'
          : `${counted(queued, 'delivery', 'deliveries')} will be sent.`,
      );
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel="Recover"
      onSubmit={() => recovery.mutate()}
      onCancel={onClose}
      busy={recovery.isPending}
      error={recovery.error}
      fields={['since']}
    >
      <Text size="sm">
        Every event since then that failed, or that happened while deliveries were stopped, is sent. What was
        delivered is not sent again.
      </Text>
      <TextInput
        label="Since"
        description={`At most ${MOST_DAYS} days ago.`}
        type="datetime-local"
        required
        data-autofocus
        min={localMinute(now - MOST_DAYS * DAY_MS)}
        max={localMinute(now)}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
        error={problemAt(recovery.error, 'since')}
      />
    </DialogForm>
  );
}
