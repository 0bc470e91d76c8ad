import { Button } from '@mantine/core';

interface DraftActionsProps {
  /** Something is being made already. */
  busy: boolean;
  blocked: boolean;
  onSave: () => void;
  onPublish: () => void;
}

export function DraftActions({ busy, blocked, onSave, onPublish }: DraftActionsProps) {
  return (
    <>
      <Button
        variant="default"
        disabled={busy || blocked}
        aria-keyshortcuts="Control+S"
        title="Ctrl S"
        onClick={onSave}
      >
        Make a version
      </Button>
      <Button disabled={blocked} loading={busy} onClick={onPublish}>
        Publish
      </Button>
    </>
  );
}
