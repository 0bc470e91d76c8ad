import { Body, Controller, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  rememberedOf,
  type WorkspaceCaller,
} from '../core/access/index.js';
import { NeedsDisk } from '../core/disk/index.js';
import { type GatehouseRequest, StreamedBody } from '../core/http/index.js';
import { AddressedUploadsService } from './addressed-uploads.service.js';
import { WRITE_FILES } from './file-access.js';
import { FileDto } from './file.dto.js';
import { UploadAddressDto, UploadAddressInput, UploadAddressQuery } from './upload-address.dto.js';
import { UploadAddressesService } from './upload-addresses.service.js';

@ApiTags('Files')
@Controller('v1/files/uploads')
export class UploadAddressesController {
  constructor(
    private readonly addresses: UploadAddressesService,
    private readonly uploads: AddressedUploadsService,
  ) {}

  /**
   * Ask for an address to which a file is sent once, without a credential
   * @remarks For whoever has a file but should not have a credential, such as a shell that an agent uses. The file belongs
   * to whoever asked, and is taken only while they may still upload it.
   */
  @Post()
  @Access(WRITE_FILES)
  @NeedsDisk()
  @ApiCreatedResponse({ type: UploadAddressDto })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Req() request: AccessRequest,
    @Body() input: UploadAddressInput,
  ): Promise<UploadAddressDto> {
    return this.addresses.create(caller, rememberedOf(request), input);
  }

  /**
   * Send a file to such an address
   * @remarks The body is the bytes themselves. The first request uses the address up, also one that breaks off.
   */
  @Put(':uploadId')
  @Access('public')
  @HttpCode(201)
  @NeedsDisk()
  @StreamedBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: FileDto })
  @ApiForbiddenResponse({
    description:
      'The address was used, is older than 15 minutes, or whoever asked for it may not upload any more (`forbidden`).',
  })
  @ApiResponse({ status: 429, description: 'Too many tries from this network.' })
  receive(
    @Param('uploadId') id: string,
    @Query() { token }: UploadAddressQuery,
    @Req() request: GatehouseRequest,
  ): Promise<FileDto> {
    return this.uploads.receive(request, id, token);
  }
}
