import { IsBoolean, ValidateIf } from 'class-validator';

export class ScriptSettingsDto {
  /** Whether publishing takes a person other than the one who asks. */
  publishNeedsSecondPerson: boolean;
}

export class ScriptSettingsPatch {
  /** Switching it off takes an owner or admin in person. */
  @IsBoolean()
  @ValidateIf((_, value) => value !== undefined)
  publishNeedsSecondPerson?: boolean;
}
