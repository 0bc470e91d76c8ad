import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';

import type { Outcome } from '../../../kit/act-on-each.js';
import { counted } from '../../../kit/counted.js';
import { OutcomeNotice } from '../../../kit/outcome-notice.js';
import { VerdictButtons } from './verdict-buttons.js';

interface ChosenRequestsProps {
  requests: readonly ApprovalRequest[];
  onDecided: () => void;
}

/** Several requests decided at once, and what became of each. */
export function ChosenRequests({ requests, onDecided }: ChosenRequestsProps) {
  const [result, setResult] = useState<{ text: string; outcome: Outcome } | null>(null);
  return (
    <>
      {requests.length > 0 && (
        <Group gap="xs" role="toolbar" aria-label="Chosen requests">
          <Text size="sm">{counted(requests.length, 'request')} chosen</Text>
          <VerdictButtons
            withCount
            requests={requests}
            onDecided={(verdict, outcome) => {
              const done = verdict === 'approve' ? 'approved' : 'denied';
              setResult({ text: `${counted(outcome.done, 'request')} ${done}`, outcome });
              onDecided();
            }}
          />
        </Group>
      )}
      {result && <OutcomeNotice noun="request" {...result} onClose={() => setResult(null)} />}
    </>
  );
}
