import { PickType } from '@nestjs/swagger';

import { ScriptVersionDto } from '../versions/version.dto.js';

const SHOWN = [
  'command',
  'build',
  'buildLog',
  'inputSchema',
  'outputSchema',
  'archiveBytes',
  'archiveSha256',
  'timeoutSeconds',
  'resources',
  'retry',
  'idempotent',
  'concurrency',
  'debounce',
  'warm',
  'handler',
  'hosts',
  'hostRules',
  'secrets',
  'env',
  'createdVia',
  'createdBy',
  'createdAt',
] as const;

/** A folder to try: a version without a number, which nobody can publish. */
export class TrialDto extends PickType(ScriptVersionDto, SHOWN) {
  id: string;

  /** Until when it can be run. It is gone a little later. */
  expiresAt: string;
}
