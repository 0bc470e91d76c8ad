import { Button } from '@mantine/core';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

interface DeleteAutomationButtonProps {
  kind: 'schedule' | 'trigger' | 'hook';
  name: string;
  /** Sends the request. */
  onDelete: () => Promise<unknown>;
  onDeleted: () => void;
}

export function DeleteAutomationButton({ kind, name, onDelete, onDeleted }: DeleteAutomationButtonProps) {
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    try {
      await onDelete();
      onDeleted();
      notifyDone(`${name} is deleted.`);
      await refresh(...staleAfter(`${kind}.changed`));
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <Button
      variant="default"
      onClick={() =>
        confirmDestruction({
          title: `Delete the ${kind} ${name}?`,
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
