import type { LogLevel } from '../config/index.js';
import type { LogFields } from './log-fields.js';

/** Of a line: what ends the process is said at each level. */
export type LineLevel = LogLevel | 'fatal';

/** What `raised` says of all lines. */
export const EVERYTHING = 'everything';

const RANKS: Record<LineLevel, number> = { fatal: 0, error: 1, warn: 2, info: 3, debug: 4 };

/** Which lines this process writes: by its setting, and more of workspaces that the operator looks at. */
export class LogLevels {
  private raised: ReadonlyMap<string, LogLevel> = new Map();

  constructor(private readonly usual: LogLevel) {}

  /** @param raised by a workspace's id, or `EVERYTHING` */
  raise(raised: ReadonlyMap<string, LogLevel>): void {
    this.raised = raised;
  }

  /** Whether a line of that level about these ids is written. */
  writes(level: LineLevel, { workspaceId }: LogFields = {}): boolean {
    const rank = RANKS[level];
    if (rank <= RANKS[this.usual]) return true;
    if (this.raised.size === 0) return false;
    return [EVERYTHING, String(workspaceId)].some((subject) => {
      const wanted = this.raised.get(subject);
      return wanted !== undefined && rank <= RANKS[wanted];
    });
  }
}
