import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, Length } from 'class-validator';

import { APP_SCOPES } from '../core/access/index.js';
import { WAYS_TO_BE_KNOWN, type WayToBeKnown } from './oauth-clients.js';

export class RequestingAppDto {
  /** What the app calls itself; nobody has checked it. */
  name: string;

  clientId: string;

  /** Whose the app is, as far as anybody can tell: the host that describes it. null where nothing vouches for it. */
  host: string | null;

  /** A page that the app names as its own. */
  uri: string | null;

  /** Where the person's browser will bring the consent: a host, or `scheme:`. null for a device. */
  redirectHost: string | null;

  /** Whether that is this computer, on which any program may claim to be the app. */
  local: boolean;

  /** How the service knows it: by a document at its host, by having registered itself, by the operator, or as a part of the service. */
  @ApiProperty({ enum: WAYS_TO_BE_KNOWN })
  registered: WayToBeKnown;
}

export class ConnectableWorkspaceDto {
  slug: string;

  name: string;

  /** The person's own. */
  @ApiProperty({ enum: ['owner', 'admin', 'member', 'guest'] })
  role: string;

  /** Their names. */
  environments: string[];
}

export class AppRequestDto {
  id: string;

  app: RequestingAppDto;

  /** What the app asks for, of what there is. */
  @ApiProperty({ enum: APP_SCOPES, isArray: true })
  scopes: string[];

  /** In which of these it may act is for the person to choose. */
  workspaces: ConnectableWorkspaceDto[];

  /** The code that the device shows, where one asks. */
  userCode: string | null;

  /** Where the device asked from, by its own address. */
  deviceAddress: string | null;

  expiresAt: string;
}

export class AppApprovalInput {
  /** The slug of the workspace in which the app may act. */
  @Length(1, 100)
  @IsString()
  workspace: string;

  /** What it may do: at least one of the scopes that it asks for, none twice. */
  @ApiProperty({ enum: APP_SCOPES, isArray: true, minItems: 1, uniqueItems: true })
  @ArrayMaxSize(100)
  @ArrayNotEmpty()
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  scopes: string[];

  /** The only environment in which it may act, by name; null or absent for all. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Length(1, 100)
  @IsString()
  environment?: string | null;

  /** The slugs of the only scripts that there are for it. null or absent, without tags either: all that the person may see. */
  @ApiProperty({ type: String, isArray: true, nullable: true, required: false, minItems: 1, maxItems: 100 })
  @IsOptional()
  @ArrayMaxSize(100)
  @ArrayNotEmpty()
  @Length(1, 100, { each: true })
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  scripts?: string[] | null;

  /** Scripts with one of these tags are there for it, too, also those that get it later. */
  @ApiProperty({ type: String, isArray: true, nullable: true, required: false, minItems: 1, maxItems: 20 })
  @IsOptional()
  @ArrayMaxSize(20)
  @ArrayNotEmpty()
  @Length(1, 100, { each: true })
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  scriptTags?: string[] | null;
}

export class AppDecisionDto {
  /** Where the browser goes on; null where a device asked, which finds out by itself. */
  redirectTo: string | null;
}

export class DeviceCodeInput {
  /** The code as the device shows it. */
  @Length(1, 40)
  @IsString()
  userCode: string;
}

export class DeviceApprovalInput extends IntersectionType(AppApprovalInput, DeviceCodeInput) {}
