import { ApiProperty } from '@nestjs/swagger';

import { ROLES, type Role } from '../core/access/roles.js';

export class InvitationDto {
  id: string;

  email: string;

  /** null: a member. */
  @ApiProperty({ enum: ROLES, type: String, nullable: true })
  role: Role | null;

  /** The teams joined on accepting, besides the default one. */
  teamIds: string[];

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class InvitationPage {
  items: InvitationDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}
