import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';

import { Access, IN_PERSON, InWorkspace, NeedsStepUp, type WorkspaceCaller } from '../core/access/index.js';
import { HostAuthoritiesDto, HostAuthoritiesInput, HostAuthoritiesList } from './host-authorities.dto.js';
import { HostAuthoritiesService } from './host-authorities.service.js';

const HOST = {
  name: 'host',
  description:
    'With its port, unless that is 443: `db.example.com:5432`, `api.example.com`, `*.example.com`.',
} as const;

@ApiTags('Workspace')
@Controller('v1/workspace/host-authorities')
export class HostAuthoritiesController {
  constructor(private readonly authorities: HostAuthoritiesService) {}

  /** List the hosts that have authorities of their own, by name */
  @Get()
  @Access({ scope: 'workspace:read', role: 'member', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller): Promise<HostAuthoritiesList> {
    return this.authorities.list(caller);
  }

  /**
   * Set the authorities that certificates of a host are checked by
   * @remarks They replace all others for it: of the public ones none counts for this host any more, in any environment. Runs that start from now on use them, by HTTPS, TLS and PostgreSQL. 409 where the workspace has 20 such hosts.
   */
  @Put(':host')
  @ApiParam(HOST)
  @Access({ scope: 'workspace:write', role: 'owner', kinds: IN_PERSON, reach: 'all' })
  @NeedsStepUp()
  set(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('host') host: string,
    @Body() input: HostAuthoritiesInput,
  ): Promise<HostAuthoritiesDto> {
    return this.authorities.set(caller, host, input);
  }

  /** Delete the authorities of a host */
  @Delete(':host')
  @ApiParam(HOST)
  @HttpCode(204)
  @Access({ scope: 'workspace:write', role: 'owner', kinds: IN_PERSON, reach: 'all' })
  @NeedsStepUp()
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('host') host: string): Promise<void> {
    return this.authorities.delete(caller, host);
  }
}
