import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';

import { pathProblem } from './folder.js';

interface FileNameDialogProps {
  title: string;
  submit: string;
  initial: string;
  /** The paths that are taken. */
  others: string[];
  onName: (path: string) => void;
  onClose: () => void;
}

export function FileNameDialog({ title, submit, initial, others, onName, onClose }: FileNameDialogProps) {
  const [path, setPath] = useState(initial);
  const [tried, setTried] = useState(false);
  const problem = pathProblem(path, others);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (problem) return;
          onName(path);
          onClose();
        }}
      >
        <Stack>
          <TextInput
            label="Path"
            description="Folders are made by their slashes: src/report.py"
            ff="monospace"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            data-autofocus
            value={path}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
            error={tried && problem}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">{submit}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
