import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, Length } from 'class-validator';

import { IsEmailAddress } from '../../auth/index.js';
import { type Role, ROLES } from '../../core/access/index.js';
import { IfGiven, IsLine, PageOf } from '../../core/http/index.js';

export class InvitationInput {
  /** Whom to invite. The case of its letters does not matter. */
  @ApiProperty({ format: 'email', maxLength: 254 })
  @IsEmailAddress()
  email: string;

  /** null or absent: a member. Only an owner invites owners. */
  @ApiProperty({ enum: ROLES, type: String, nullable: true, required: false })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role | null;

  /** The ids of the teams to join besides the default one, which all but guests join in any case. */
  @ApiProperty({ type: [String], required: false, maxItems: 50 })
  @IfGiven()
  @ArrayMaxSize(50)
  @IsString({ each: true, message: 'must be an array of strings' })
  @IsArray()
  teamIds?: string[];
}

export class InvitationDto {
  id: string;

  email: string;

  /** null: a member. */
  @ApiProperty({ enum: ROLES, type: String, nullable: true })
  role: Role | null;

  /** The teams joined on accepting, besides the default one. */
  teamIds: string[];

  expiresAt: string;

  createdAt: string;
}

export class InvitationCreatedDto extends InvitationDto {
  /** What to send to the person. Only where no mail can be sent, and shown this once; otherwise it is in the mail. */
  @ApiProperty({ format: 'uri' })
  link?: string;
}

export class InvitationPage extends PageOf(InvitationDto) {}

export class InvitingWorkspaceDto {
  name: string;
}

export class InvitationOfferDto {
  workspace: InvitingWorkspaceDto;

  /** Who is invited. */
  email: string;

  /** The role that the person will have. */
  role: Role;

  /** The name of the person who invites. */
  invitedBy: string | null;

  expiresAt: string;

  /** True: to accept, sign in as this address. False: accepting makes the account. */
  hasAccount: boolean;
}

export class InvitationAcceptance {
  /** The name of the new account. Only where the address has none. */
  @IfGiven()
  @Length(1, 100)
  @IsLine()
  name?: string;

  /** The password of the new account. Only where the address has none. */
  @IfGiven()
  @Length(8, 200)
  @IsString()
  password?: string;
}
