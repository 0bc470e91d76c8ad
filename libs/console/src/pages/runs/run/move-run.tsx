import { type Run, runsMove } from '@gatehouse/client/operations';
import { runsGetQueryKey } from '@gatehouse/client/react-query';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import IconClock from 'icon:clock';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../../kit/form-dialog.js';
import { FormProblem, problemAt } from '../../../kit/form-problem.js';
import { localMinute } from '../../../kit/local-minute.js';
import { useAct } from '../../../kit/use-act.js';

/** Another time for a run that waits for its own. It is no button where further starts, or an approval, have set the time. */
export function MoveButton({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  if (run.phase !== 'delayed' || run.debounce !== null || run.approvalRequestId !== null) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconClock size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Move
      </Button>
      <FormDialog title="Move this run" opened={isOpen} onClose={() => setOpen(false)}>
        <MoveForm run={run} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}

function MoveForm({ run, onClose }: { run: Run; onClose: () => void }) {
  const queries = useQueryClient();
  const [startAt, setStartAt] = useState(localMinute(Date.parse(run.startAt!)));
  const move = useAct(async (to: string) => {
    const path = { runId: run.id };
    await runsMove({ path, body: { startAt: to } });
    await queries.invalidateQueries({ queryKey: runsGetQueryKey({ path }) });
    onClose();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void move.run(new Date(startAt).toISOString());
      }}
    >
      <Stack>
        <TextInput
          label="Start at"
          type="datetime-local"
          required
          min={localMinute(Date.now())}
          value={startAt}
          onChange={({ currentTarget }) => setStartAt(currentTarget.value)}
          error={problemAt(move.problem, 'startAt')}
        />
        <FormProblem error={move.problem} fields={['startAt']} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={move.busy} onClick={() => void move.run('0s')}>
            Start now
          </Button>
          <Button type="submit" loading={move.busy}>
            Move
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
