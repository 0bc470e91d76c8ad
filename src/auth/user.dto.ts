import type { Role } from '../core/access/index.js';

export class WorkspaceOfUserDto {
  id: string;

  name: string;

  slug: string;

  /** The person's role there. */
  role: Role;
}

export class UserMeDto {
  id: string;

  name: string;

  email: string;

  /** The workspaces that the person is in, by slug; for a token, those that it may act in. */
  workspaces: WorkspaceOfUserDto[];
}
