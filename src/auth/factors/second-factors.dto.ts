import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, IsString, Length } from 'class-validator';

import { IsLine, OpaqueJson } from '../../core/http/index.js';

export class PasskeyDto {
  id: string;

  /** What its person calls it. */
  name: string;

  createdAt: string;

  lastUsedAt: string | null;
}

export class AuthenticatorDto {
  createdAt: string;

  lastUsedAt: string | null;
}

export class SecondFactorsDto {
  passkeys: PasskeyDto[];

  /** The app for codes; null: none is set up. */
  authenticator: AuthenticatorDto | null;

  recoveryCodesLeft: number;

  /** Whether the account may have second factors: where it has a password. */
  available: boolean;

  /** Whether a passkey may be added: browsers want the service to have a name and TLS, or to be on this machine. */
  passkeysAvailable: boolean;
}

export class AuthenticatorOfferDto {
  /** To be typed into the app: base32. */
  secret: string;

  /** The same with all that the app has to know, for a QR code: `otpauth://totp/…`. */
  uri: string;
}

export class AuthenticatorConfirmInput {
  /** One that the app shows. */
  @Length(6, 20)
  @IsString()
  code: string;
}

export class FactorAddedDto {
  /** With the first factor: ten codes for whoever loses their device, each good once. They are shown this once. */
  @ApiProperty({ type: [String], nullable: true })
  recoveryCodes: string[] | null;
}

export class PasskeyAddedDto extends FactorAddedDto {
  passkey: PasskeyDto;
}

export class RecoveryCodesDto {
  /** In place of those that there were. They are shown this once. */
  recoveryCodes: string[];
}

export class PasskeyOptionsDto {
  /** For the browser, as JSON of WebAuthn: `PublicKeyCredential.parseRequestOptionsFromJSON`, or `parseCreationOptionsFromJSON`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  options: Record<string, unknown>;
}

export class PasskeyResponseInput {
  /** What the browser says, as JSON of WebAuthn: `PublicKeyCredential.toJSON()`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @OpaqueJson()
  @IsObject()
  passkey: Record<string, unknown>;
}

export class PasskeyInput extends PasskeyResponseInput {
  /** What it is called in the list: where it is kept. */
  @Length(1, 100)
  @IsLine()
  name: string;
}

export class SecondFactorInput {
  /** Six digits of the app for codes, or a recovery code. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 6, maxLength: 40 })
  @IsOptional()
  @Length(6, 40)
  @IsString()
  code?: string | null;

  /** Instead of a code: what the browser says, as JSON of WebAuthn. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  @OpaqueJson()
  @IsOptional()
  @IsObject()
  passkey?: Record<string, unknown> | null;
}

export class SecondStepDto {
  /** Whether there is an app for codes. A recovery code is always taken. */
  codes: boolean;

  /** For the browser, as JSON of WebAuthn; null where the account has no passkey. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  passkeyOptions: Record<string, unknown> | null;
}
