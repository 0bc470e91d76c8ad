import { ApiProperty } from '@nestjs/swagger';
import { Length, Matches } from 'class-validator';

import { IsLine, PatchOf } from '../core/http/index.js';

export const WORKSPACE_SLUG = /^[a-z0-9][a-z0-9-]{0,49}$/;

export class WorkspaceInput {
  @Length(1, 100)
  @IsLine()
  name: string;

  /** What `x-workspace` names: 1 to 50 lowercase letters, digits and dashes, the first no dash. */
  @ApiProperty({ pattern: WORKSPACE_SLUG.source })
  @Matches(WORKSPACE_SLUG, {
    message: 'must be 1 to 50 lowercase letters, digits and dashes, and begin with a letter or digit',
  })
  slug: string;
}

export class WorkspacePatch extends PatchOf(WorkspaceInput, ['name']) {}

export class WorkspaceDto {
  id: string;

  name: string;

  slug: string;
}
