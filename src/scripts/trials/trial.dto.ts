import { OmitType } from '@nestjs/swagger';

import { ScriptVersionDto } from '../versions/version.dto.js';

/** A folder to try: a version without a number, which nobody can publish. */
export class TrialDto extends OmitType(ScriptVersionDto, ['number', 'message', 'published', 'publishedAt']) {
  /** Until when it can be run. It is gone a little later. */
  expiresAt: string;
}
