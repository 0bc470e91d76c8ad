import { ActionIcon, Button, Group, NativeSelect, Text, TextInput, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import IconArrowDown from 'icon:arrow-down';
import IconArrowUp from 'icon:arrow-up';
import IconCheck from 'icon:check';
import IconClock from 'icon:clock';
import IconCopy from 'icon:copy';
import IconDownload from 'icon:download';
import IconFilter from 'icon:filter';
import IconFold from 'icon:fold';
import IconFoldDown from 'icon:fold-down';
import IconRegex from 'icon:regex';
import IconSearch from 'icon:search';
import IconTextWrap from 'icon:text-wrap';

import { counted } from '../counted.js';
import { LOCALE } from '../locale.js';
import { saveAs } from '../save-as.js';
import { TIME_KINDS, type TimeKind } from './line-time.js';
import type { LogGroups } from './use-line-groups.js';
import type { LogSearch } from './use-log-search.js';

/** How many lines before and behind each one that matches. */
const AROUND = [0, 2, 5, 20];

export interface LogBarProps {
  lines: readonly string[];
  /** How far a log has been read that has an end; null: it is all there, or goes on. */
  ofLines: { read: number; total: number } | null;
  search: LogSearch;
  /** To the next line that matches, or the one before. */
  onStep: (direction: 1 | -1) => void;
  /** Whether only the lines that match are shown. */
  onlyHits: boolean;
  onOnlyHits: (onlyHits: boolean) => void;
  around: number;
  onAround: (around: number) => void;
  wraps: boolean;
  onWraps: (wraps: boolean) => void;
  timeKind: TimeKind;
  onTimeKind: (kind: TimeKind) => void;
  /** null: there is nothing to fold. */
  groups: LogGroups | null;
  canFollow: boolean;
  onFollow: () => void;
  fileName: string;
}

/** Search, how many lines there are, and what can be done with all of them. */
export function LogBar(props: LogBarProps) {
  const { lines, wraps, onWraps, timeKind, onTimeKind, groups, canFollow, onFollow, fileName } = props;
  const clipboard = useClipboard();
  const isEmpty = lines.length === 0;
  const save = (): void =>
    saveAs(new Blob([lines.map((line) => `${line}\n`).join('')], { type: 'text/plain' }), fileName);
  return (
    <Group gap="xs">
      <Search {...props} />
      <Group gap={4} ml="auto" justify="flex-end">
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
        {groups && (
          <BarButton
            label={groups.areAllOpen ? 'Fold all groups' : 'Open all groups'}
            Icon={groups.areAllOpen ? IconFold : IconFoldDown}
            onClick={() => groups.openAll(!groups.areAllOpen)}
          />
        )}
        <TimesSelect kind={timeKind} onKind={onTimeKind} />
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

function Search({ lines, ofLines, search, onStep, onlyHits, onOnlyHits, around, onAround }: LogBarProps) {
  const { typed, onTyped, isPattern, onPattern, hits, problem } = search;
  const found = hits?.length ?? null;
  return (
    <>
      <Group gap={4} wrap="nowrap" align="start" style={{ flex: '1 1 9rem', maxWidth: '20rem' }}>
        <TextInput
          size="xs"
          placeholder="Search the log"
          aria-label="Search the log"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => onTyped(currentTarget.value)}
          onKeyDown={({ key, shiftKey }) => key === 'Enter' && onStep(shiftKey ? -1 : 1)}
          style={{ flex: 1, minWidth: 0 }}
        />
        <BarButton
          label="Regular expression"
          Icon={IconRegex}
          pressed={isPattern}
          onClick={() => onPattern(!isPattern)}
        />
      </Group>
      <Text size="xs" c="dimmed" aria-live={found === null ? 'off' : 'polite'}>
        {countText(lines.length, ofLines, found)}
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
          {onlyHits && (
            <NativeSelect
              size="xs"
              aria-label="Lines around each one that matches"
              value={String(around)}
              onChange={({ currentTarget }) => onAround(Number(currentTarget.value))}
              data={AROUND.map((lines) => ({ value: String(lines), label: `± ${lines}` }))}
            />
          )}
        </Group>
      )}
    </>
  );
}

function countText(lines: number, ofLines: LogBarProps['ofLines'], found: number | null): string {
  const all = ofLines ? `${ofLines.total.toLocaleString(LOCALE)} lines …` : counted(lines, 'line');
  if (found !== null)
    return `${found.toLocaleString(LOCALE)} of ${counted(lines, 'line')}${ofLines ? ' …' : ''}`;
  return ofLines ? `${ofLines.read.toLocaleString(LOCALE)} of ${all}` : all;
}

function TimesSelect({ kind, onKind }: { kind: TimeKind; onKind: (kind: TimeKind) => void }) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Times of lines"
      leftSection={<IconClock size={14} aria-hidden />}
      w={148}
      value={kind}
      onChange={({ currentTarget }) => onKind(currentTarget.value as TimeKind)}
      data={(Object.keys(TIME_KINDS) as TimeKind[]).map((value) => ({ value, label: TIME_KINDS[value] }))}
    />
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
