import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

import { onceReady } from './dialogs-ready.js';

export interface Confirmation {
  /** A question that names the thing: `Delete the secret STRIPE_KEY?` */
  title: string;
  /** What will be gone or happen. */
  children: ReactNode;
  /** The verb of the button: `Delete`. */
  confirm: string;
  onConfirm: () => void;
}

/** Asks once before something is destroyed. */
export function confirmDestruction(confirmation: Confirmation): void {
  onceReady(() => open(confirmation));
}

function open({ title, children, confirm, onConfirm }: Confirmation): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div" className="user-text">
        {children}
      </Text>
    ),
    labels: { confirm, cancel: 'Keep' },
    confirmProps: { color: 'red.9' },
    onConfirm,
  });
}
