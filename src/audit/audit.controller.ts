import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  LiveResponses,
  type WorkspaceCaller,
} from '../core/access/index.js';
import { ApiExport, type GatehouseResponse, sendExport } from '../core/http/index.js';
import { AuditEventQuery, AuditExportQuery } from './audit-event-query.dto.js';
import { AuditEventPage } from './audit-event.dto.js';
import { AuditEventsService } from './audit-events.service.js';

const READ_AUDIT = {
  scope: 'workspace.audit:read',
  role: 'admin',
  roleByToken: 'owner',
  reach: 'all',
} as const;

/** What a CSV file says of each entry. */
const COLUMNS = [
  ...['id', 'createdAt', 'action', 'actorType', 'actor.userId', 'actor.name'],
  ...['credential.type', 'credential.name', 'address', 'target.type', 'target.id', 'details'],
];

@ApiTags('Workspace')
@Controller('v1/workspace/audit-events')
export class AuditController {
  constructor(
    private readonly events: AuditEventsService,
    private readonly live: LiveResponses,
  ) {}

  /**
   * List what was changed and by whom, newest first
   * @remarks Nothing removes or changes an entry. With a personal access token or as an agent the person must be an owner. In the app admins may, too; an API key always passes.
   */
  @Get()
  @Access(READ_AUDIT)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: AuditEventQuery): Promise<AuditEventPage> {
    return this.events.list(caller, query);
  }

  /**
   * Export what was changed and by whom, newest first
   * @remarks All that fit the filters of the list, 100,000 at most: for older ones ask again with `until`. It is cut off within 5 seconds of whatever takes the right to it away.
   */
  @Get('export')
  @Access(READ_AUDIT)
  @ApiExport()
  async export(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() { format, ...query }: AuditExportQuery,
    @Req() request: AccessRequest,
    @Res() reply: GatehouseResponse,
  ): Promise<void> {
    const events = this.events.all(caller, query);
    await sendExport(reply, { name: 'audit', format, columns: COLUMNS }, events, this.live.open(request));
  }
}
