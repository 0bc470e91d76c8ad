import { type Run, runsCancel, runsRerun } from '@gatehouse/client/operations';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';

import { type Outcome, actOnEach } from '../../../kit/act-on-each.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { counted } from '../../../kit/counted.js';
import { notifyProblem } from '../../../kit/notify.js';
import { OutcomeNotice } from '../../../kit/outcome-notice.js';

interface ChosenRunsProps {
  runs: readonly Run[];
  onDone: () => void;
}

/** What can be done with several runs at once: each is a request of its own, and what became of them is told. */
export function ChosenRuns({ runs, onDone }: ChosenRunsProps) {
  const [busy, setBusy] = useState<'cancel' | 'again' | null>(null);
  const [result, setResult] = useState<{ text: string; outcome: Outcome } | null>(null);
  const open = runs.filter(({ phase }) => phase !== 'finished');
  const ended = runs.filter(({ phase }) => phase === 'finished');

  const act = async (kind: 'cancel' | 'again'): Promise<void> => {
    setBusy(kind);
    setResult(null);
    try {
      const outcome =
        kind === 'cancel'
          ? await actOnEach(open, nameOf, ({ id }) => runsCancel({ path: { runId: id } }))
          : await actOnEach(ended, nameOf, ({ id }) =>
              runsRerun({ path: { runId: id }, headers: { 'Idempotency-Key': crypto.randomUUID() } }),
            );
      setResult({
        text: `${counted(outcome.done, 'run')} ${kind === 'cancel' ? 'cancelled' : 'started again'}`,
        outcome,
      });
      onDone();
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(null);
    }
  };

  return (
    <>
      {runs.length > 0 && (
        <Group gap="xs" role="toolbar" aria-label="Chosen runs">
          <Text size="sm">{counted(runs.length, 'run')} chosen</Text>
          <Button
            size="xs"
            variant="default"
            disabled={open.length === 0}
            loading={busy === 'cancel'}
            onClick={() =>
              confirmDestruction({
                title: `Cancel ${counted(open.length, 'run')}?`,
                children: open.map(({ script }) => script.slug).join(', '),
                confirm: 'Cancel them',
                onConfirm: () => void act('cancel'),
              })
            }
          >
            {open.length === 0 ? 'Cancel' : `Cancel ${open.length}`}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={ended.length === 0}
            loading={busy === 'again'}
            onClick={() => void act('again')}
          >
            {ended.length === 0 ? 'Run again' : `Run ${ended.length} again`}
          </Button>
        </Group>
      )}
      {result && <OutcomeNotice noun="run" {...result} onClose={() => setResult(null)} />}
    </>
  );
}

function nameOf({ script, id }: Run): string {
  return `${script.slug} (${id})`;
}
