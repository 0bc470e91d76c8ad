import type { ScriptStatsDto } from './script-stats.dto.js';
import type { ScriptStatsRow } from './script-stats.repository.js';

/** As the API shows it; a script without a row has had no runs. */
export function presentStats(row: ScriptStatsRow | undefined): ScriptStatsDto {
  const { runs = 0, succeeded = 0, failed = 0, lastRunAt = null, people = 0, interfaces = {} } = row ?? {};
  const finished = succeeded + failed;
  return {
    runs30d: runs,
    successRate: finished === 0 ? null : succeeded / finished,
    lastRunAt: lastRunAt?.toISOString() ?? null,
    people30d: people,
    interfaces: { app: 0, api: 0, cli: 0, mcp: 0, schedule: 0, trigger: 0, hook: 0, ...interfaces },
  };
}
