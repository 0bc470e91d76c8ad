import { Center, Stack, Text } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';

import { ProblemNotice } from './problem-notice.js';
import { LineSearch } from './run-log/line-search.js';
import { LogBar } from './run-log/log-bar.js';
import { LogRows } from './run-log/log-rows.js';
import type { RunLogState, RunProgress } from './run-log/run-log.js';
import { useRunLog } from './run-log/use-run-log.js';

export interface LogViewProps {
  runId: string;
  /** Whether more may come: then it can be followed. */
  live: boolean;
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
  const { runId, live, height = 420, line = null, onLine } = props;
  const log = useRunLog(runId);
  useTold(log, props);
  const [follows, setFollows] = useState(line === null && live);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  // Its positions are of one list of lines.
  const searching = useMemo(() => (search === '' ? null : new LineSearch(search)), [search, log.lines]);
  const shown = searching?.update(log.lines) ?? null;
  const isLive = live && log.end === null;
  // A run that is over needs no more room than its lines; one that goes on gets it at once, so that nothing moves.
  const [wasLive] = useState(live);
  const room = wasLive ? height : `min(${cssHeight(height)}, ${log.count * LINE_HEIGHT + LINE_HEIGHT}px)`;
  const [chosen, setChosen] = useState<number | null>(null);

  return (
    <Stack gap="xs">
      <LogBar
        lines={log.lines}
        found={shown?.length ?? null}
        search={typed}
        onSearch={setTyped}
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
          chosen={line ?? chosen}
          follows={follows && isLive}
          onFollows={(next) => setFollows(next)}
          hrefOf={(number) => `${location.pathname}${location.search}#L${number}`}
          onChoose={onLine ?? setChosen}
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
