import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export const MiB_OF_MEMORY = { type: 'integer', minimum: 64, maximum: 1_048_576 } as const;
export const PROCESSORS = { type: 'number', format: 'double', minimum: 0.1, maximum: 64 } as const;
export const PROCESSES = { type: 'integer', minimum: 16, maximum: 1024 } as const;
export const MiB_OF_TMP = { type: 'integer', minimum: 1, maximum: 1_048_576 } as const;

/** What the box of a run may use. */
export class ResourcesDto {
  /** In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`. */
  @ApiProperty(MiB_OF_MEMORY)
  memory: number;

  /** How many processors' worth of time it gets at most; null: as many as there are. */
  @ApiProperty({ ...PROCESSORS, nullable: true })
  cpus: number | null;

  /** Processes and threads together. */
  @ApiProperty(PROCESSES)
  processes: number;

  /** How much `/tmp` holds, in MiB. */
  @ApiProperty(MiB_OF_TMP)
  tmp: number;
}

/** What the box of a run may use. What is left out is as usual. */
export class ResourcesInput {
  /** In MiB, of all processes together and with what they keep in `/tmp` and `/outputs`. The operator says how much a version may ask for: 2048, where nothing else is set. */
  @ApiPropertyOptional({ ...MiB_OF_MEMORY, default: 512 })
  memory?: number;

  /** How many processors' worth of time it gets at most; left out or null: as many as there are. */
  @ApiPropertyOptional({ ...PROCESSORS, nullable: true })
  cpus?: number | null;

  /** Processes and threads together. */
  @ApiPropertyOptional({ ...PROCESSES, default: 128 })
  processes?: number;

  /** How much `/tmp` holds, in MiB; no more than `memory`. Left out: 256, or as much as `memory` where that is less. */
  @ApiPropertyOptional(MiB_OF_TMP)
  tmp?: number;
}
