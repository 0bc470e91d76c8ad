import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Forbidden } from '../core/errors/index.js';
import type { AccessRequest } from '../core/access/index.js';
import { MembersRepository } from './members/members.repository.js';

/**
 * `GATEHOUSE_SIGNUP=open` lets everybody who is signed in make workspaces. With `invite`, only those who own one already
 * can: an invited guest gets no workspace of their own on somebody's server.
 */
@Injectable()
export class WorkspaceMakersGuard implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly members: MembersRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.settings.signup === 'open') return true;
    const { caller } = context.switchToHttp().getRequest<AccessRequest>();
    if (!(await this.members.ownsAny(caller!.person!.id))) {
      throw new Forbidden('Here, only who owns a workspace may make another one.');
    }
    return true;
  }
}
