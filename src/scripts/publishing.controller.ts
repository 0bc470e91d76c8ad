import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace } from '../core/access/access.decorator.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { PublishingService } from './publishing.service.js';
import { ScriptDetailDto } from './script.dto.js';
import { PublishInput } from './script-input.dto.js';

@ApiTags('Scripts')
@Controller('v1/scripts/:slug')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  /**
   * Publish a version
   * @remarks Runs that are started from now on use it; those under way keep theirs. Publishing an older version is the way back. 404 for a version that there is not; 409 while the script is archived, and while the workspace asks for a second person, since asking one is not possible yet.
   */
  @Post('publish')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', shared: true })
  publish(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() { version }: PublishInput,
  ): Promise<ScriptDetailDto> {
    return this.publishing.publish(caller, slug, version);
  }

  /**
   * Take a published script back to draft
   * @remarks No run can be started until a version is published again. 409 unless it is published.
   */
  @Post('unpublish')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', shared: true })
  unpublish(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptDetailDto> {
    return this.publishing.unpublish(caller, slug);
  }

  /**
   * Restore an archived script
   * @remarks It becomes a draft; publish a version to run it again. 409 unless it is archived.
   */
  @Post('restore')
  @HttpCode(200)
  @Access({ scope: 'scripts:write', role: 'member', shared: true })
  restore(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptDetailDto> {
    return this.publishing.restore(caller, slug);
  }
}
