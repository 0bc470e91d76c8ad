import { IsIn } from 'class-validator';

import { type Role, ROLES } from '../../core/access/index.js';
import { PageOf } from '../../core/http/index.js';

export class MemberPatch {
  @IsIn(ROLES)
  role: Role;
}

export class MemberDto {
  /** The membership's id. */
  id: string;

  userId: string;

  name: string;

  email: string;

  role: Role;

  joinedAt: string;
}

export class MemberPage extends PageOf(MemberDto) {}
