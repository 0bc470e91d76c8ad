import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { secondsForm } from '../../core/http/index.js';

export const SECONDS = { type: 'integer', minimum: 1, maximum: 3_600 } as const;
export const RUNS = { type: 'integer', minimum: 1, maximum: 10_000 } as const;
export const USUAL = { idleSeconds: 300, runs: 1000 };

/** How long the process that calls its function stays for further runs. */
export class KeepDto {
  /** Without a run for so long, it ends. */
  @ApiProperty(SECONDS)
  idleSeconds: number;

  /** After so many runs, it ends. */
  @ApiProperty(RUNS)
  runs: number;
}

/** How long the process that calls its function stays for further runs. */
export class KeepInput {
  /** Without a run for so long, it ends: in seconds or as a text such as `5m`. */
  @ApiPropertyOptional(secondsForm({ ...SECONDS, default: USUAL.idleSeconds }))
  idleSeconds?: number | string;

  /** After so many runs, it ends. */
  @ApiPropertyOptional({ ...RUNS, default: USUAL.runs })
  runs?: number;
}
