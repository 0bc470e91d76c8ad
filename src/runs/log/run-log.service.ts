import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import type { ByteContent } from '../../core/http/index.js';
import type { SingleRunRow } from '../run-columns.js';
import { linesWith } from './line-blocks.js';
import type { RunLogDto, RunLogQuery, WholeLogQuery } from './run-log.dto.js';
import { RunsService } from '../runs.service.js';
import type { LogLine } from './log-lines.js';
import { RunLogRepository } from './run-log.repository.js';
import { bytesOf, WholeLogReader } from './whole-log.reader.js';

const AT_ONCE = 1_000;
/** What a search in a whole log looks at before it says that there is more. */
const MOST_SEARCHED_BYTES = 64 * 1024 * 1024;
const MOST_SEARCH_MS = 3_000;

/** What a search has found, and where to go on. */
interface Found extends Pick<RunLogDto, 'next' | 'more'> {
  found: LogLine[];
}

/** The logs of runs, for those who may see the runs. */
@Injectable()
export class RunLogService {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogRepository,
    private readonly whole: WholeLogReader,
  ) {}

  async read(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<RunLogDto> {
    const { after, q } = query;
    const isTimed = query.times === 'true';
    if (q !== undefined) {
      const { found, ...rest } = await this.search(caller, id, { ...query, q });
      return { ...listed(found, isTimed), numbers: found.map(({ number }) => number), ...rest };
    }
    const lines = await this.numbered(caller, id, query);
    const last = lines.at(-1);
    return { ...listed(lines, isTimed), next: last ? last.number + 1 : after };
  }

  /** All of it as text. It is named after the run. */
  async content(caller: WorkspaceCaller, id: string, { attempt }: WholeLogQuery): Promise<ByteContent> {
    const pieces = await this.whole.piecesOf(id, partOf(await this.runs.visible(caller, id), attempt));
    return {
      open: async (range = {}) => {
        const text = this.whole.text(id, pieces, range);
        // Read before anything is sent, so that a store that is away is an error of its own.
        const first = await text.next();
        return Readable.from(first.done ? [] : startingWith(first.value, text), { objectMode: false });
      },
      size: bytesOf(pieces),
      sha256: createHash('sha256')
        .update(JSON.stringify([id, pieces]))
        .digest('hex'),
      type: 'text/plain; charset=utf-8',
      filename: `${id}.log`,
    };
  }

  /** What the database has is of bounded size, so all of it that is left is looked at. */
  private async search(
    caller: WorkspaceCaller,
    id: string,
    { q, limit, after, attempt }: RunLogQuery & { q: string },
  ): Promise<Found> {
    const run = await this.runs.visible(caller, id);
    const { from, to } = partOf(run, attempt);
    if (await this.whole.isLong(run))
      return this.searchWhole(id, { q, limit, after: Math.max(after, from), to });
    const text = q.toLowerCase();
    const found: LogLine[] = [];
    let next = Math.max(after, from);
    while (next < to) {
      const lines = (await this.log.read(id, next, AT_ONCE)).filter(({ number }) => number < to);
      for (const { number, line, at } of lines) {
        next = number + 1;
        if (line.toLowerCase().includes(text)) found.push({ number, line, at });
        if (found.length === limit) return { found, next };
      }
      if (lines.length < AT_ONCE) break;
    }
    return { found, next };
  }

  private async searchWhole(
    id: string,
    { q, limit, after, to }: Pick<Required<RunLogQuery>, 'q' | 'limit' | 'after'> & { to: number },
  ): Promise<Found> {
    const deadline = performance.now() + MOST_SEARCH_MS;
    const text = q.toLowerCase();
    const found: LogLine[] = [];
    let [next, bytes] = [after, 0];
    for await (const block of this.whole.blocks(id, await this.whole.piecesOf(id, { from: 0, to }), after)) {
      const isEnough = bytes > MOST_SEARCHED_BYTES || performance.now() > deadline;
      // It has come further than the request before, however slow the store is.
      if (isEnough && next > after) return { found, next, more: true };
      for (const line of linesWith(block, text)) {
        if (line.number < after) continue;
        found.push(line);
        if (found.length === limit) return { found, next: line.number + 1 };
      }
      bytes += block.text.length;
      next = Math.max(next, block.first + block.lines);
    }
    return { found, next };
  }

  /** The last lines of a run, for whoever tells of it: nobody is asked whether they may see it. */
  async tail(runId: string, count: number): Promise<string[]> {
    const lines = await this.log.last(runId, count);
    return lines.map(({ line }) => line);
  }

  /** The same, with each line's number. */
  async numbered(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<LogLine[]> {
    const { after, limit, attempt } = query;
    const { from, to } = partOf(await this.runs.visible(caller, id), attempt);
    const first = Math.max(after, from);
    if (first >= to) return [];
    const lines = await this.log.read(id, first, limit);
    return lines.filter(({ number }) => number < to);
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function listed(lines: readonly LogLine[], isTimed: boolean): Pick<RunLogDto, 'lines' | 'times'> {
  return {
    lines: lines.map(({ line }) => line),
    ...(isTimed && { times: lines.map(({ at }) => at?.toISOString() ?? null) }),
  };
}

/** Where the lines of an attempt are, or all. */
function partOf(run: SingleRunRow, attempt: number | undefined): { from: number; to: number } {
  if (attempt !== undefined) return linesOf(run, attempt);
  return { from: 0, to: run.phase === 'finished' ? run.logLines : Infinity };
}

/** Where an attempt's lines are among all of a run. */
function linesOf({ earlier, logLines }: SingleRunRow, attempt: number): { from: number; to: number } {
  const count = (attempts: SingleRunRow['earlier']): number =>
    attempts.reduce((sum, one) => sum + one.logLines, 0);
  const from = count(earlier.filter((one) => one.attempt < attempt));
  const own = earlier.find((one) => one.attempt === attempt);
  if (own) return { from, to: from + own.logLines };
  return { from, to: attempt === earlier.length + 1 ? logLines : from };
}
