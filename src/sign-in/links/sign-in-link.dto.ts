import { IsString, Length } from 'class-validator';

export class SignInLinkInput {
  /** What stands behind the `#` of the link. */
  @Length(1, 200)
  @IsString()
  token: string;
}
