import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Access, type AccessRequest, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { NeedsDisk } from '../core/disk/index.js';
import {
  ApiByteResponse,
  type ByteContent,
  type GatehouseResponse,
  PageQuery,
  StreamedBody,
} from '../core/http/index.js';
import { READ_FILES, WRITE_FILES } from './file-access.js';
import { DownloadQuery, FileDto, FilePageDto, UploadQuery } from './file.dto.js';
import { FilesService } from './files.service.js';
import { UploadsService } from './uploads.service.js';

const BINARY = { type: 'string', format: 'binary' } as const;

@ApiTags('Files')
@Controller('v1/files')
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly uploads: UploadsService,
  ) {}

  /**
   * Upload a file
   * @remarks As a form with one part `file`, or as the bytes themselves with `name` in the query and their media type in
   * `Content-Type`. At most 104,857,600 bytes. Of a name with folders the last part is kept. An upload that no run
   * uses is deleted after a day.
   */
  @Post()
  @Access(WRITE_FILES)
  @NeedsDisk()
  @StreamedBody()
  @ApiConsumes('multipart/form-data', 'application/octet-stream')
  @ApiBody({
    schema: { type: 'object', required: ['file'], properties: { file: BINARY }, additionalProperties: false },
  })
  @ApiCreatedResponse({ type: FileDto })
  async upload(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() query: UploadQuery,
    @Req() request: AccessRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<FileDto> {
    const { file, replayed } = await this.uploads.upload(request, caller, query.name);
    if (replayed) reply.setHeader('idempotent-replayed', 'true');
    return file;
  }

  /** List files, newest first */
  @Get()
  @Access(READ_FILES)
  @ApiOkResponse({ type: FilePageDto })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<FilePageDto> {
    return this.files.list(caller, query);
  }

  /** Read what is known of a file */
  @Get(':fileId')
  @Access(READ_FILES)
  @ApiOkResponse({ type: FileDto })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('fileId') id: string): Promise<FileDto> {
    return this.files.get(caller, id);
  }

  /** Delete a file, unless a run that is not finished uses it */
  @Delete(':fileId')
  @Access(WRITE_FILES)
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('fileId') id: string): Promise<void> {
    return this.files.delete(caller, id);
  }

  /** Read a file's bytes, or a range of them */
  @Get(':fileId/content')
  @Access(READ_FILES)
  @ApiByteResponse('*/*')
  content(@InWorkspace() caller: WorkspaceCaller, @Param('fileId') id: string): Promise<ByteContent> {
    return this.files.content(caller, id);
  }

  /** Download a file by its link (`downloadUrl`), without a credential */
  @Get(':fileId/download')
  @Access('public')
  @ApiByteResponse('*/*')
  @ApiForbiddenResponse({ description: 'The link is not valid, or older than an hour (`forbidden`).' })
  download(@Param('fileId') id: string, @Query() query: DownloadQuery): Promise<ByteContent> {
    return this.files.linkedContent(id, query.token);
  }
}
