import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';

import type { Outcome } from '../../../kit/act-on-each.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { headingOf } from '../approval.js';
import { DecideForm, type Verdict } from './decide-form.js';

interface VerdictButtonsProps {
  /** What is decided by one yes or no. */
  requests: readonly ApprovalRequest[];
  /** In the row of a list the buttons do not say how many they decide. */
  withCount?: boolean;
  onDecided?: (verdict: Verdict, outcome: Outcome) => void;
}

/** Yes and no where the requests stand; each opens what exactly will happen, where it is said for good. */
export function VerdictButtons({ requests, withCount = false, onDecided }: VerdictButtonsProps) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const named = requests.length === 1 ? headingOf(requests[0]!) : `${requests.length} requests`;
  const count = withCount ? ` ${requests.length}` : '';
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" aria-label={`Approve ${named}`} onClick={() => setVerdict('approve')}>
        Approve{count}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Deny ${named}`}
        onClick={() => setVerdict('deny')}
      >
        Deny{count}…
      </Button>
      <FormDialog
        opened={verdict !== null}
        onClose={() => setVerdict(null)}
        title={verdict === 'deny' ? `Deny: ${named}` : `Approve: ${named}`}
        size="lg"
      >
        {verdict !== null && (
          <DecideForm
            requests={requests}
            verdict={verdict}
            onCancel={() => setVerdict(null)}
            onDecided={(outcome) => {
              setVerdict(null);
              onDecided?.(verdict, outcome);
            }}
          />
        )}
      </FormDialog>
    </Group>
  );
}
