import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import IconArrowDown from 'icon:arrow-down';
import IconCheck from 'icon:check';
import IconCopy from 'icon:copy';
import IconDownload from 'icon:download';
import IconSearch from 'icon:search';

import { counted } from '../counted.js';
import { saveAs } from '../save-as.js';

export interface LogBarProps {
  lines: readonly string[];
  /** How many lines match the search; null while nothing is searched. */
  found: number | null;
  search: string;
  onSearch: (search: string) => void;
  canFollow: boolean;
  onFollow: () => void;
  fileName: string;
}

/** Search, how many lines there are, and what can be done with all of them. */
export function LogBar(props: LogBarProps) {
  const { lines, found, search, onSearch, canFollow, onFollow, fileName } = props;
  const clipboard = useClipboard();
  const isEmpty = lines.length === 0;
  return (
    <Group gap="xs">
      <TextInput
        size="xs"
        placeholder="Search the log"
        aria-label="Search the log"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        style={{ flex: '1 1 9rem', maxWidth: '20rem' }}
      />
      <Text size="xs" c="dimmed" aria-live={found === null ? 'off' : 'polite'}>
        {found === null
          ? counted(lines.length, 'line')
          : `${found.toLocaleString('en')} of ${counted(lines.length, 'line')}`}
      </Text>
      <Group gap={4} ml="auto" wrap="nowrap">
        {canFollow && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconArrowDown size={14} aria-hidden />}
            onClick={onFollow}
          >
            Follow
          </Button>
        )}
        <Tooltip label={clipboard.copied ? 'Copied' : 'Copy the log'}>
          <ActionIcon
            variant="default"
            aria-label="Copy the log"
            disabled={isEmpty}
            onClick={() => clipboard.copy(lines.join('\n'))}
          >
            {clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Download the log">
          <ActionIcon
            variant="default"
            aria-label="Download the log"
            disabled={isEmpty}
            onClick={() =>
              saveAs(new Blob([lines.map((line) => `${line}\n`).join('')], { type: 'text/plain' }), fileName)
            }
          >
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}
