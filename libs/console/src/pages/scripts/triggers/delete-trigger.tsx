import { type Trigger, triggersDelete } from '@gatehouse/client';
import { Button } from '@mantine/core';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

export function DeleteTriggerButton({
  trigger: { id, name },
  onDeleted,
}: {
  trigger: Trigger;
  onDeleted?: () => void;
}) {
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    try {
      await triggersDelete({ path: { id } });
      onDeleted?.();
      notifyDone(`${name} is deleted.`);
      await refresh(...staleAfter('trigger.changed'));
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <Button
      variant="default"
      onClick={() =>
        confirmDestruction({
          title: `Delete the trigger ${name}?`,
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
