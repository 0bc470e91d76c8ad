import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';

import type { FileChange, VersionFile } from '../../kit/archive/version-files.js';
import { CodeDifference } from '../../kit/code-difference.js';
import { ChangeBadge } from './facts.js';

/** Opens to show how it differs. */
export function ChangedFile({ change }: { change: FileChange }) {
  const { path, kind } = change;
  const [opened, setOpened] = useState(false);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <UnstyledButton aria-expanded={opened} onClick={() => setOpened(!opened)} fz="sm">
        <Chevron size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
        <code className="user-text">{path}</code>{' '}
        <ChangeBadge change={kind === 'removed' ? 'gone' : 'new'} label={kind} />
      </UnstyledButton>
      {opened && <FileDifference change={change} />}
    </li>
  );
}

function FileDifference({ change: { path, before, after } }: { change: FileChange }) {
  const [old, now] = [textOf(before), textOf(after)];
  if (old.includes('\0') || now.includes('\0')) {
    return (
      <Text size="sm" c="dimmed">
        It is not text, so there is nothing to show.
      </Text>
    );
  }
  return <CodeDifference before={old} after={now} path={path} />;
}

function textOf(file: VersionFile | null): string {
  return file ? new TextDecoder().decode(file.content) : '';
}
