import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { AuditEventQuery } from './audit-event-query.dto.js';
import { AuditEventPage } from './audit-event.dto.js';
import { AuditEventsService } from './audit-events.service.js';

@ApiTags('Workspace')
@Controller('v1/workspace/audit-events')
export class AuditController {
  constructor(private readonly events: AuditEventsService) {}

  /**
   * List what was changed and by whom, newest first
   * @remarks Nothing removes or changes an entry. With a personal access token or as an agent the person must be an owner. In the app admins may, too; an API key always passes.
   */
  @Get()
  @Access({ scope: 'workspace.audit:read', role: 'admin', roleByToken: 'owner', reach: 'all' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: AuditEventQuery): Promise<AuditEventPage> {
    return this.events.list(caller, query);
  }
}
