import { ApiProperty } from '@nestjs/swagger';

export class ScriptInterfacesDto {
  @ApiProperty({ type: 'integer' })
  app: number;

  @ApiProperty({ type: 'integer' })
  api: number;

  @ApiProperty({ type: 'integer' })
  cli: number;

  @ApiProperty({ type: 'integer' })
  mcp: number;

  @ApiProperty({ type: 'integer' })
  schedule: number;

  @ApiProperty({ type: 'integer' })
  trigger: number;
}

export class ScriptDayDto {
  /** In UTC. */
  @ApiProperty({ format: 'date' })
  day: string;

  /** Started that day. */
  @ApiProperty({ type: 'integer' })
  runs: number;

  /** Ended that day. */
  @ApiProperty({ type: 'integer' })
  succeeded: number;

  @ApiProperty({ type: 'integer' })
  failed: number;
}

export class ScriptActivityDto {
  /** The last 30 days, today included, the oldest first. */
  days: ScriptDayDto[];
}

/** Test runs never count. */
export class ScriptStatsDto {
  /** Runs in the last 30 days, today included (UTC). */
  @ApiProperty({ type: 'integer' })
  runs30d: number;

  /** The share of those that succeeded among those that succeeded or failed; null while there are none. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  successRate: number | null;

  /** When it was last started, however long ago. */
  lastRunAt: string | null;

  /** How many people ran it in the last 30 days. */
  @ApiProperty({ type: 'integer' })
  people30d: number;

  /** The runs of the last 30 days by where they came from. */
  interfaces: ScriptInterfacesDto;
}
