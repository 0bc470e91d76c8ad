import { ApiProperty } from '@nestjs/swagger';

export class ScriptInterfacesDto {
  app: number;

  api: number;

  cli: number;

  mcp: number;

  schedule: number;

  trigger: number;
  hook: number;
}

export class ScriptDayDto {
  /** In UTC. */
  @ApiProperty({ format: 'date' })
  day: string;

  /** Started that day. */
  runs: number;

  /** Ended that day. */
  succeeded: number;

  failed: number;
}

export class ScriptActivityDto {
  /** The last 30 days, today included, the oldest first. */
  days: ScriptDayDto[];
}

/** Test runs never count. */
export class ScriptStatsDto {
  /** Runs in the last 30 days, today included (UTC). */
  runs30d: number;

  /** The share of those that succeeded among those that succeeded or failed; null while there are none. */
  @ApiProperty({ format: 'double', minimum: 0, maximum: 1 })
  successRate: number | null;

  /** When it was last started, however long ago. */
  lastRunAt: string | null;

  /** How many people ran it in the last 30 days. */
  people30d: number;

  /** The runs of the last 30 days by where they came from. */
  interfaces: ScriptInterfacesDto;
}
