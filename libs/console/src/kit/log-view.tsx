import { Center, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';

import { ProblemNotice } from './problem-notice.js';
import { LineSearch, nextHit } from './run-log/line-search.js';
import { LogBar } from './run-log/log-bar.js';
import { LogRows } from './run-log/log-rows.js';
import type { RunLogState, RunProgress } from './run-log/run-log.js';
import { useRunLog } from './run-log/use-run-log.js';

export interface LogViewProps {
  runId: string;
  /** Whether more may come: then it can be followed. */
  live: boolean;
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
  const { runId, live, fromEnd = false, height = 420, line = null, onLine } = props;
  const log = useRunLog(runId);
  useTold(log, props);
  const [follows, setFollows] = useState(line === null && (live || fromEnd));
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  // Its positions are of one list of lines.
  const searching = useMemo(() => (search === '' ? null : new LineSearch(search)), [search, log.lines]);
  const hits = searching?.update(log.lines) ?? null;
  const [onlyHits, setOnlyHits] = useState(true);
  const shown = onlyHits ? hits : null;
  const [wraps, setWraps] = useLocalStorage({ key: 'gatehouse-log-wraps', defaultValue: false });
  const isLive = live && log.end === null;
  // A run that is over needs no more room than its lines; one that goes on gets it at once, so that nothing moves.
  const [wasLive] = useState(live);
  const room =
    wasLive || wraps ? height : `min(${cssHeight(height)}, ${log.count * LINE_HEIGHT + LINE_HEIGHT}px)`;
  const [ownChoice, setOwnChoice] = useState<number | null>(null);
  const chosen = line ?? ownChoice;
  const choose = onLine ?? setOwnChoice;
  const step = (direction: 1 | -1): void => {
    const position = nextHit(hits ?? [], chosen === null ? -1 : log.numbers.indexOf(chosen), direction);
    if (position !== null) choose(log.numbers[position]!);
  };

  return (
    <Stack gap="xs">
      <LogBar
        lines={log.lines}
        found={hits?.length ?? null}
        search={typed}
        onSearch={setTyped}
        onStep={step}
        onlyHits={onlyHits}
        onOnlyHits={setOnlyHits}
        wraps={wraps}
        onWraps={setWraps}
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
          shown={shown}
          count={shown?.length ?? log.count}
          search={search}
          height={room}
          wraps={wraps}
          chosen={chosen}
          follows={follows && (isLive || fromEnd) && shown === null}
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
