import { ApiProperty } from '@nestjs/swagger';

import { IsMoment, MOMENT } from '../core/http/index.js';

/** What of a run can be changed before it begins. */
export class RunPatch {
  /** Not before then it is queued, at most a year from now: a timestamp, or a time from now such as `2h`. A moment that is over starts it at once. */
  @ApiProperty(MOMENT)
  @IsMoment()
  startAt: string;
}
