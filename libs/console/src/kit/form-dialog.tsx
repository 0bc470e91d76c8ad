import { Modal, type ModalProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';

/**
 * A dialog with something to fill in. A click beside it keeps it open, and so does Escape in a dialog above it
 * (the password, a session that ended): what was typed is not lost.
 */
export function FormDialog({ onClose, children, ...rest }: ModalProps) {
  const closeOnEscape = ({ key, target }: KeyboardEvent): void => {
    const inner = (target as Element).getAttribute('data-mantine-stop-propagation') === 'true';
    if (key === 'Escape' && !inner) onClose();
  };
  return (
    <Modal
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      onKeyDown={closeOnEscape}
      {...rest}
    >
      {children}
    </Modal>
  );
}
