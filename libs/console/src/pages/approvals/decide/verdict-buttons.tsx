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
  /** More may come to wait while somebody reads: only what was shown is decided. */
  const [asked, setAsked] = useState<{ verdict: Verdict; requests: typeof requests } | null>(null);
  const ask = (verdict: Verdict): void => setAsked({ verdict, requests });
  const named = namesOf(requests);
  const count = withCount ? ` ${requests.length}` : '';
  return (
    <Group gap={6} wrap="nowrap">
      <Button size="compact-sm" aria-label={`Approve ${named}`} onClick={() => ask('approve')}>
        Approve{count}
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`Deny ${named}`} onClick={() => ask('deny')}>
        Deny{count}…
      </Button>
      <FormDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked && `${asked.verdict === 'deny' ? 'Deny' : 'Approve'}: ${namesOf(asked.requests)}`}
        size="lg"
      >
        {asked && (
          <DecideForm
            {...asked}
            onCancel={() => setAsked(null)}
            onDecided={(outcome) => {
              setAsked(null);
              onDecided?.(asked.verdict, outcome);
            }}
          />
        )}
      </FormDialog>
    </Group>
  );
}

function namesOf(requests: readonly ApprovalRequest[]): string {
  return requests.length === 1 ? headingOf(requests[0]!) : `${requests.length} requests`;
}
