import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { CodeDifference } from '../../kit/code-difference.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { ChangeBadge } from './facts.js';
import { type FileChange, versionFileText } from './version-files.js';

type Props = FileChange & { slug: string; before: number; after: number };

/** Opens to show how it differs. */
export function ChangedFile(props: Props) {
  const { path, change } = props;
  const [opened, setOpened] = useState(false);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <UnstyledButton aria-expanded={opened} onClick={() => setOpened(!opened)} fz="sm">
        <Chevron size={14} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
        <code className="user-text">{path}</code>{' '}
        <ChangeBadge change={change === 'removed' ? 'gone' : 'new'} label={change} />
      </UnstyledButton>
      {opened && <FileDifference {...props} />}
    </li>
  );
}

function FileDifference({ slug, before, after, path, change }: Props) {
  const { data, error } = useQuery({
    queryKey: [{ _id: 'fileDifference', slug, before, after, path }],
    queryFn: async () => {
      const [old, now] = await Promise.all([
        change === 'added' ? '' : versionFileText(slug, before, path),
        change === 'removed' ? '' : versionFileText(slug, after, path),
      ]);
      return { old, now };
    },
    staleTime: Infinity,
  });
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Skeleton height="6rem" />;
  if (isBinary(data.old) || isBinary(data.now)) {
    return (
      <Text size="sm" c="dimmed">
        It is not text, so there is nothing to show.
      </Text>
    );
  }
  return <CodeDifference before={data.old} after={data.now} path={path} />;
}

function isBinary(text: string): boolean {
  return text.includes('\0');
}
