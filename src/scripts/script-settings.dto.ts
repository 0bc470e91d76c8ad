import { IsBoolean } from 'class-validator';

import { IfGiven } from '../core/http/index.js';

export class ScriptSettingsDto {
  /** Whether publishing takes a person other than the one who asks. */
  publishNeedsSecondPerson: boolean;
}

export class ScriptSettingsPatch {
  /** Switching it off takes an owner or admin in person. */
  @IsBoolean()
  @IfGiven()
  publishNeedsSecondPerson?: boolean;
}
