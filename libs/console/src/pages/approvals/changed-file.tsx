import { UnstyledButton } from '@mantine/core';
import IconChevronDown from 'icon:chevron-down';
import IconChevronRight from 'icon:chevron-right';
import { useState } from 'react';

import type { FileChange } from '../../kit/archive/version-files.js';
import { FileDifference } from '../../kit/file-difference.js';
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
