import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { NeedsDisk } from '../../core/disk/index.js';
import { ApiByteResponse, BodyLimit, type ByteContent, IdempotentBy } from '../../core/http/index.js';
import { ScriptFolderInput } from '../versions/version-input.dto.js';
import { MAX_BODY_BYTES } from '../versions/versions.controller.js';
import { TrialDto } from './trial.dto.js';
import { TrialsService } from './trials.service.js';

@ApiTags('Scripts')
@Controller('v1/scripts/:slug/trials')
export class TrialsController {
  constructor(private readonly trials: TrialsService) {}

  /**
   * Upload a folder to try it
   * @remarks As a version, but without a number: it is in no list, cannot be published, and changes nothing of the script. It can be run for a day, as a test, by POST `/v1/scripts/{slug}/trials/{trialId}/runs`. Of each person's trials of a script, the newest 20 are kept. Dependencies are installed first; the same ones are installed once. 400, 409 and 503 as for a version.
   */
  @Post()
  @NeedsDisk()
  @BodyLimit(MAX_BODY_BYTES)
  @IdempotentBy('resource')
  @Access({ scope: 'scripts:write', role: 'member', reach: 'shared' })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: ScriptFolderInput,
  ): Promise<TrialDto> {
    return this.trials.create(caller, slug, input);
  }

  /** Read a trial */
  @Get(':trialId')
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  find(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('trialId') id: string,
  ): Promise<TrialDto> {
    return this.trials.find(caller, slug, id);
  }

  /**
   * Download a trial's archive
   * @remarks The bytes as they were uploaded, for whoever decides about a run of it.
   */
  @Get(':trialId/archive')
  @ApiByteResponse('application/gzip')
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  archive(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('trialId') id: string,
  ): Promise<ByteContent> {
    return this.trials.archive(caller, slug, id);
  }
}
