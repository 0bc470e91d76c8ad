import { Length } from 'class-validator';

import { IsLine, PageOf, PatchOf } from '../../core/http/index.js';

export class TeamInput {
  /** Unique in the workspace. */
  @Length(1, 100)
  @IsLine()
  name: string;
}

export class TeamPatch extends PatchOf(TeamInput, ['name']) {}

export class TeamDto {
  id: string;

  name: string;

  /** True for the one team that every member but guests belongs to. */
  isDefault: boolean;

  /** The user ids of who is in it. */
  memberIds: string[];

  createdAt: string;
}

export class TeamPage extends PageOf(TeamDto) {}
