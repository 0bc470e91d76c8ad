import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';

import { IfGiven } from '../core/http/index.js';

export class SignInSettingsDto {
  /** Whether people with a password need a second factor to act in the workspace, also by their tokens and apps. */
  secondFactorRequired: boolean;

  /** Within how many minutes before they approve something, or change a secret, people confirm that it is them; null: they need not. */
  stepUpMinutes: number | null;
}

export class SignInSettingsPatch {
  @IsBoolean()
  @IfGiven()
  secondFactorRequired?: boolean;

  /** null: they need not. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 60, nullable: true })
  @Max(60)
  @Min(1)
  @IsInt()
  @IsOptional()
  stepUpMinutes?: number | null;
}
