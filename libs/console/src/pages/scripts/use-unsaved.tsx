import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef, useState } from 'react';

interface Unsaved {
  /** Something was typed that is not saved yet. */
  touch: () => void;
  /** What was typed is saved. */
  release: () => void;
  isTouched: boolean;
  dialog: ReactNode;
}

/** Asks before somebody leaves a form in which they typed something. */
export function useUnsaved(): Unsaved {
  const touched = useRef(false);
  const [isTouched, setTouched] = useState(false);
  const change = useCallback((value: boolean) => {
    touched.current = value;
    setTouched(value);
  }, []);
  const blocker = useBlocker({
    // Another part of the same page is not left.
    shouldBlockFn: ({ current, next }) => touched.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => touched.current,
    withResolver: true,
  });
  const dialog = (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      centered
    >
      <Stack>
        <Text size="sm">What you typed here is not saved.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  return { touch: () => change(true), release: () => change(false), isTouched, dialog };
}
