import { Center, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';

import { ProblemNotice } from './problem-notice.js';
import { nextHit, withContext } from './run-log/line-search.js';
import type { TimeKind } from './run-log/line-time.js';
import { LogBar } from './run-log/log-bar.js';
import { LogRows } from './run-log/log-rows.js';
import type { RunLogState, RunProgress } from './run-log/run-log.js';
import { useLogSearch } from './run-log/use-log-search.js';
import { useLineGroups } from './run-log/use-line-groups.js';
import { useRunLog } from './run-log/use-run-log.js';

export interface LogViewProps {
  runId: string;
  /** Whether more may come: then it can be followed. */
  live: boolean;
  /** How many lines a run has that has ended. */
  total?: number | null;
  /** When the run began, which relative times count from. */
  startedAt?: string | null;
  /** Shown from its end: where a run failed, that says why. */
  fromEnd?: boolean;
  height?: number | string;
  /** The line that the page's address names, counted from 1. */
  line?: number | null;
  onLine?: (line: number) => void;
  onProgress?: (progress: RunProgress) => void;
  /** The run has come to another phase. */
  onPhase?: (phase: string) => void;
  onEnd?: (end: { status: string; error: string | null }) => void;
}

const LINE_HEIGHT = 20;

/** The log of a run: follows it while it is at its end, searches it, and links to its lines. */
export function LogView(props: LogViewProps) {
  const { runId, live, total = null, startedAt = null, fromEnd = false, height = 420, line = null } = props;
  const { onLine } = props;
  const log = useRunLog(runId);
  useTold(log, props);
  const [follows, setFollows] = useState(line === null && (live || fromEnd));
  const search = useLogSearch(log.lines, log.count);
  const { hits } = search;
  const [onlyHits, setOnlyHits] = useState(true);
  const [around, setAround] = useState(0);
  const [wraps, setWraps] = useLocalStorage({ key: 'gatehouse-log-wraps', defaultValue: false });
  const [timeKind, setTimeKind] = useLocalStorage<TimeKind>({
    key: 'gatehouse-log-times',
    defaultValue: 'off',
  });
  const isLive = live && log.end === null;
  const [ownChoice, setOwnChoice] = useState<number | null>(null);
  const chosen = line ?? ownChoice;
  const choose = onLine ?? setOwnChoice;
  const groups = useLineGroups(log, chosen);
  // What is searched may be in a group, so nothing is folded then.
  const folded = hits === null && !groups.lines.isEmpty ? groups.lines : null;
  const found = hits !== null && onlyHits ? withContext(hits, around, log.count) : null;
  const shown = found ?? folded?.visible ?? null;
  // A run that is over needs no more room than its lines; one that goes on gets it at once, so that nothing moves.
  const [wasLive] = useState(live);
  const rows = folded?.visible.length ?? log.count;
  const room = wasLive || wraps ? height : `min(${cssHeight(height)}, ${(rows + 1) * LINE_HEIGHT}px)`;
  const step = (direction: 1 | -1): void => {
    const position = nextHit(hits ?? [], chosen === null ? -1 : log.numbers.indexOf(chosen), direction);
    if (position !== null) choose(log.numbers[position]!);
  };
  const firstPrinted = log.times.find((time) => time !== null) ?? 0;
  const start = Math.min(startedAt === null ? Infinity : Date.parse(startedAt), firstPrinted);
  const times = useMemo(() => ({ kind: timeKind, start }), [timeKind, start]);
  const read = log.numbers.at(-1) ?? 0;

  return (
    <Stack gap="xs">
      <LogBar
        lines={log.lines}
        ofLines={log.end === null && total !== null && read < total ? { read, total } : null}
        search={search}
        onStep={step}
        onlyHits={onlyHits}
        onOnlyHits={setOnlyHits}
        around={around}
        onAround={setAround}
        wraps={wraps}
        onWraps={setWraps}
        timeKind={timeKind}
        onTimeKind={setTimeKind}
        groups={folded && groups}
        canFollow={isLive && !follows}
        onFollow={() => setFollows(true)}
        fileName={`${runId}.log`}
      />
      {log.problem !== null && <ProblemNotice error={log.problem} title="The log cannot be read" />}
      {log.lines.length === 0 && log.end !== null ? (
        <Center py="lg">
          <Text size="sm" c="dimmed">
            This run printed nothing.
          </Text>
        </Center>
      ) : (
        <LogRows
          lines={log.lines}
          numbers={log.numbers}
          printed={log.times}
          times={times}
          shown={shown}
          count={shown?.length ?? log.count}
          groups={folded}
          onGroup={(header) => {
            setFollows(false);
            groups.toggle(header);
          }}
          search={search.text}
          ranges={search.ranges}
          height={room}
          wraps={wraps}
          chosen={chosen}
          follows={follows && (isLive || fromEnd) && found === null}
          onFollows={(next) => setFollows(next)}
          hrefOf={(number) => `${location.pathname}${location.search}#L${number}`}
          onChoose={choose}
        />
      )}
    </Stack>
  );
}

function cssHeight(height: number | string): string {
  return typeof height === 'number' ? `${height}px` : height;
}

/** Tells the page what else the stream says: how far the run is, its phase and its end. */
function useTold({ progress, phase, end }: RunLogState, props: LogViewProps): void {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (progress) latest.current.onProgress?.(progress);
  }, [progress]);
  useEffect(() => {
    if (phase) latest.current.onPhase?.(phase);
  }, [phase]);
  useEffect(() => {
    if (end) latest.current.onEnd?.(end);
  }, [end]);
}
