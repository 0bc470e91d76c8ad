import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';

import { SecondFactorInput } from './factors/second-factors.dto.js';

export class LoginInput {
  /** The account's e-mail address, in any case. */
  @Length(1, 320)
  @IsString()
  email: string;

  @Length(1, 1000)
  @IsString()
  password: string;
}

export class PasswordForgottenInput {
  /** The account's e-mail address, in any case. */
  @Length(1, 320)
  @IsString()
  email: string;
}

export class PasswordResetInput {
  /** What stands at the end of the link that was mailed. */
  @Length(1, 200)
  @IsString()
  token: string;

  /** The new password. */
  @Length(8, 200)
  @IsString()
  password: string;
}

export class ConfirmationInput extends SecondFactorInput {
  /** The password of whoever is signed in; not needed with a passkey. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 1000 })
  @IsOptional()
  @Length(1, 1000)
  @IsString()
  password?: string | null;
}

export class PasswordChangeInput {
  /** The password until now. */
  @Length(1, 1000)
  @IsString()
  current: string;

  /** The new password. */
  @Length(8, 200)
  @IsString()
  next: string;
}
