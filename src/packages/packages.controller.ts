import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import { DocsPages, Page, pageOf } from '../core/docs/index.js';
import { ApiByteResponse, ApiFixedResponse, type ByteContent, FixedResponse } from '../core/http/index.js';
import { PackagesService } from './packages.service.js';
import { renderPackages } from './render-packages.js';

/** For everybody: whoever installs the command line has no credential yet. */
@Controller('packages')
@ApiTags('Service')
export class PackagesController {
  constructor(
    private readonly packages: PackagesService,
    private readonly pages: DocsPages,
  ) {}

  /**
   * Show the packages of this version.
   *
   * @remarks With their digests, and how they are installed. `pip --find-links` reads this page.
   */
  @Get()
  @Page()
  async index(): Promise<FixedResponse> {
    const files = (await this.packages.list()).map((file) => ({
      ...file,
      address: this.packages.addressOf(file),
    }));
    return pageOf(renderPackages(files, this.pages.frame()));
  }

  /**
   * Get what npm asks a registry about a package.
   *
   * @remarks `/packages/npm` is a registry of this version's packages: `npm config set @gatehouse:registry URL/packages/npm`.
   * @param name Such as `@gatehouse/cli`. Of all others it knows nothing.
   */
  @Get('npm/:name')
  @Access('public')
  @ApiFixedResponse({ description: 'The package.', schema: { type: 'object', additionalProperties: true } })
  async npm(@Param('name') name: string): Promise<FixedResponse> {
    const packument = JSON.stringify(await this.packages.packument(name));
    return new FixedResponse(packument, 'application/json; charset=utf-8');
  }

  /**
   * Download a package.
   *
   * @param file Such as `gatehouse-cli-0.2.0.tgz`.
   */
  @Get(':file')
  @Access('public')
  @ApiByteResponse('application/octet-stream')
  file(@Param('file') name: string): Promise<ByteContent> {
    return this.packages.content(name);
  }
}
