import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import type { GatehouseResponse } from '../core/http/index.js';
import { PublishRequestedDto } from './publish-requested.dto.js';
import { PublishingService } from './publishing.service.js';
import { ScriptDetailDto } from './script.dto.js';
import { PublishInput } from './script-input.dto.js';

@ApiTags('Scripts')
@Controller('v1/scripts/:slug')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  /**
   * Publish a version
   * @remarks Runs that are started from now on use it; those under way keep theirs. Publishing an older version is the way back. Where the workspace asks for a second person (`publishNeedsSecondPerson`), an owner or admin other than the one who asks has to approve first: 202. 404 for a version that there is not; 409 while the script is archived, where nobody else could approve, and where another version is published than `expectedVersion`; an approval is judged by that once more.
   */
  @Post('publish')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', reach: 'all' })
  @ApiOkResponse({ type: ScriptDetailDto, description: 'The version is published.' })
  @ApiAcceptedResponse({ type: PublishRequestedDto, description: 'A second person was asked to approve.' })
  async publish(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: PublishInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<ScriptDetailDto | PublishRequestedDto> {
    const result = await this.publishing.publish(caller, slug, input);
    reply.status('approval' in result ? 202 : 200);
    return result;
  }

  /**
   * Take a published script back to draft
   * @remarks No run can be started until a version is published again. 409 unless it is published.
   */
  @Post('unpublish')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', reach: 'all' })
  unpublish(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptDetailDto> {
    return this.publishing.unpublish(caller, slug);
  }

  /**
   * Restore an archived script
   * @remarks It becomes a draft; publish a version to run it again. 409 unless it is archived.
   */
  @Post('restore')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', reach: 'all' })
  restore(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptDetailDto> {
    return this.publishing.restore(caller, slug);
  }
}
