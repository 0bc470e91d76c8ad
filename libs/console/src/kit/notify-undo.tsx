import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

import { onPlaceChange } from '../api/place.js';
import { notifyDone, notifyProblem } from './notify.js';

const SHOWN_MS = 8_000;

/** What is offered to be undone; after the next act it may not be what was before any more. */
let offered: string | null = null;

// It would act in the other place.
onPlaceChange(withdraw);

/**
 * Says what was done, and offers to undo it for a while: as long as the focus is there, and eight seconds otherwise.
 * Not in another workspace or environment.
 * @param undo takes it back; returns what to say then
 */
export function notifyUndoable(message: string, undo: () => Promise<string>): void {
  const takeBack = async (): Promise<void> => {
    // It is seen for a moment after it was withdrawn.
    if (offered !== id) return;
    withdraw();
    try {
      notifyDone(await undo());
    } catch (error) {
      notifyProblem(error);
    }
  };
  const shown = (autoClose: number | false) => ({
    color: 'teal',
    autoClose,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span className="user-text">{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          data-key="z"
          onFocus={() => notifications.update({ id, ...shown(false) })}
          onBlur={() => notifications.update({ id, ...shown(SHOWN_MS) })}
          onClick={() => void takeBack()}
        >
          Undo
        </Button>
      </Group>
    ),
  });
  withdraw();
  const id = notifications.show(shown(SHOWN_MS));
  offered = id;
}

function withdraw(): void {
  if (offered !== null) notifications.hide(offered);
  offered = null;
}
