import { type Schedule, schedulesDelete } from '@gatehouse/client';
import { Button } from '@mantine/core';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

export function DeleteScheduleButton({
  schedule: { id, name },
  onDeleted,
}: {
  schedule: Schedule;
  onDeleted?: () => void;
}) {
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    try {
      await schedulesDelete({ path: { id } });
      onDeleted?.();
      notifyDone(`${name} is deleted.`);
      await refresh(...staleAfter('schedule.changed'));
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <Button
      variant="default"
      onClick={() =>
        confirmDestruction({
          title: `Delete the schedule ${name}?`,
          children: 'It starts no more runs. The runs that it started stay.',
          confirm: 'Delete',
          onConfirm: () => void remove(),
        })
      }
    >
      Delete
    </Button>
  );
}
