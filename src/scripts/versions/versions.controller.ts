import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiParam, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { NeedsDisk } from '../../core/disk/index.js';
import {
  ApiByteResponse,
  BodyLimit,
  type ByteContent,
  IdempotentBy,
  PageQuery,
} from '../../core/http/index.js';
import { ScriptVersionDto, ScriptVersionPage, SecretUseDto } from './version.dto.js';
import { HostRuleInput } from './host-rule.input.dto.js';
import { ScriptVersionInput, SecretUseInput } from './version-input.dto.js';
import { VERSION_NUMBER, VersionNumberPipe } from './version-number.js';
import { VersionUploadService } from './version-upload.service.js';
import { VersionsService } from './versions.service.js';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;

@ApiTags('Scripts')
@ApiExtraModels(HostRuleInput, SecretUseDto, SecretUseInput)
@Controller('v1/scripts/:slug/versions')
export class VersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly uploads: VersionUploadService,
  ) {}

  /** List a script's versions, newest first */
  @Get()
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  list(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Query() query: PageQuery,
  ): Promise<ScriptVersionPage> {
    return this.versions.list(caller, slug, query);
  }

  /**
   * Upload a new version
   * @remarks It gets the next number and is not published yet. The body may have up to 16 MiB. 400 names what is wrong with the archive (its entry), the command (the position) or a schema (the path), and nothing is kept. Dependencies are installed first, which may take minutes; the same ones are installed once. When that fails, `details` holds the end of what it printed. 503 with `Retry-After` when no worker did it in time; sending the request again goes on waiting. 409 while the script is archived, and where another version is the newest than `expectedVersion`.
   */
  @Post()
  @NeedsDisk()
  @BodyLimit(MAX_BODY_BYTES)
  @IdempotentBy('resource')
  @Access({ scope: 'scripts:write', role: 'member', reach: 'shared' })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: ScriptVersionInput,
  ): Promise<ScriptVersionDto> {
    return this.uploads.create(caller, slug, input);
  }

  /** Read a version by its number */
  @Get(':number')
  @ApiParam(VERSION_NUMBER)
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  find(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('number', VersionNumberPipe) number: number,
  ): Promise<ScriptVersionDto> {
    return this.versions.find(caller, slug, number);
  }

  /**
   * Download a version's archive
   * @remarks The bytes as they were uploaded; their SHA-256 is the `ETag`. Takes `Range` (206, 416) and `If-None-Match` (304).
   */
  @Get(':number/archive')
  @ApiParam(VERSION_NUMBER)
  @ApiByteResponse('application/gzip')
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  archive(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('number', VersionNumberPipe) number: number,
  ): Promise<ByteContent> {
    return this.versions.archive(caller, slug, number);
  }
}
