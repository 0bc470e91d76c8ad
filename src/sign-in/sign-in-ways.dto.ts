import { IsBoolean, IsOptional, IsString, Length, ValidateBy } from 'class-validator';

import { isOwnPage } from './next-page.js';

export class SignInWayDto {
  id: string;

  /** What stands on its button after `Sign in with`. */
  title: string;
}

export class SignInWayListDto {
  items: SignInWayDto[];

  /** Whether people sign in with passwords as well. */
  passwords: boolean;
}

export class SignInStartInput {
  /** The page of the app to go on to afterwards: a path, such as `/w/acme/scripts`. By default the first one. */
  @ValidateBy({
    name: 'isOwnPage',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isOwnPage(value),
      defaultMessage: () => 'must be the path of a page here, such as /w/acme/scripts',
    },
  })
  @Length(1, 2000)
  @IsString()
  @IsOptional()
  next?: string;

  /** Whether whoever is signed in proves once more who they are, where they have no password for `POST /v1/auth/confirm`. */
  @IsBoolean()
  @IsOptional()
  confirm?: boolean;
}

export class SignInStartDto {
  /** The address of the provider to which the browser has to go. */
  redirectTo: string;
}
