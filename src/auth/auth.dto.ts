import { IsString, Length } from 'class-validator';

export class LoginInput {
  /** The account's e-mail address, in any case. */
  @Length(1, 320)
  @IsString()
  email: string;

  @Length(1, 1000)
  @IsString()
  password: string;
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
