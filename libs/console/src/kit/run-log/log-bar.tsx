import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import IconArrowDown from 'icon:arrow-down';
import IconArrowUp from 'icon:arrow-up';
import IconCheck from 'icon:check';
import IconCopy from 'icon:copy';
import IconDownload from 'icon:download';
import IconFilter from 'icon:filter';
import IconSearch from 'icon:search';
import IconTextWrap from 'icon:text-wrap';

import { counted } from '../counted.js';
import { saveAs } from '../save-as.js';

export interface LogBarProps {
  lines: readonly string[];
  /** How many lines match the search; null while nothing is searched. */
  found: number | null;
  search: string;
  onSearch: (search: string) => void;
  /** To the next line that matches, or the one before. */
  onStep: (direction: 1 | -1) => void;
  /** Whether only the lines that match are shown. */
  onlyHits: boolean;
  onOnlyHits: (onlyHits: boolean) => void;
  wraps: boolean;
  onWraps: (wraps: boolean) => void;
  canFollow: boolean;
  onFollow: () => void;
  fileName: string;
}

/** Search, how many lines there are, and what can be done with all of them. */
export function LogBar(props: LogBarProps) {
  const { lines, found, search, onSearch, onStep, onlyHits, onOnlyHits, wraps, onWraps } = props;
  const { canFollow, onFollow, fileName } = props;
  const clipboard = useClipboard();
  const isEmpty = lines.length === 0;
  const save = (): void =>
    saveAs(new Blob([lines.map((line) => `${line}\n`).join('')], { type: 'text/plain' }), fileName);
  return (
    <Group gap="xs">
      <TextInput
        size="xs"
        placeholder="Search the log"
        aria-label="Search the log"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
        style={{ flex: '1 1 9rem', maxWidth: '20rem' }}
      />
      <Text size="xs" c="dimmed" aria-live={found === null ? 'off' : 'polite'}>
        {found === null
          ? counted(lines.length, 'line')
          : `${found.toLocaleString('en')} of ${counted(lines.length, 'line')}`}
      </Text>
      {found !== null && (
        <Group gap={4} wrap="nowrap">
          <BarButton
            label="The line before that matches (Shift+Enter)"
            Icon={IconArrowUp}
            disabled={found === 0}
            onClick={() => onStep(-1)}
          />
          <BarButton
            label="The next line that matches (Enter)"
            Icon={IconArrowDown}
            disabled={found === 0}
            onClick={() => onStep(1)}
          />
          <BarButton
            label="Only lines that match"
            Icon={IconFilter}
            pressed={onlyHits}
            onClick={() => onOnlyHits(!onlyHits)}
          />
        </Group>
      )}
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
        <BarButton
          label="Wrap long lines"
          Icon={IconTextWrap}
          pressed={wraps}
          onClick={() => onWraps(!wraps)}
        />
        <BarButton
          label={clipboard.copied ? 'Copied' : 'Copy the log'}
          Icon={clipboard.copied ? IconCheck : IconCopy}
          disabled={isEmpty}
          onClick={() => clipboard.copy(lines.join('\n'))}
        />
        <BarButton label="Download the log" Icon={IconDownload} disabled={isEmpty} onClick={save} />
      </Group>
    </Group>
  );
}

interface BarButtonProps {
  label: string;
  Icon: typeof IconCopy;
  onClick: () => void;
  disabled?: boolean;
  /** Of one that is on or off. */
  pressed?: boolean;
}

function BarButton({ label, Icon, onClick, disabled, pressed }: BarButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'light' : 'default'}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
