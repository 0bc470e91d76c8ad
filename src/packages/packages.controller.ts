import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import { DocsLayout, Page, pageOf } from '../core/docs/index.js';
import { NotFound } from '../core/errors/index.js';
import {
  ApiByteResponse,
  ApiFixedResponse,
  byteResponse,
  FixedResponse,
  type GatehouseRequest,
  type GatehouseResponse,
} from '../core/http/index.js';
import { PackagesService } from './packages.service.js';
import { renderPackages } from './render-packages.js';

/** For everybody: whoever installs the command line has no credential yet. */
@Controller('packages')
@ApiTags('Service')
export class PackagesController {
  constructor(
    private readonly packages: PackagesService,
    private readonly layout: DocsLayout,
  ) {}

  /**
   * Show the packages of this version.
   *
   * @remarks With their digests, and how they are installed. `pip --find-links` reads this page.
   */
  @Get()
  @Page()
  async index(
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<Buffer | undefined> {
    const files = (await this.packages.list()).map((file) => ({
      ...file,
      address: this.packages.addressOf(file),
    }));
    return pageOf(renderPackages(files, this.layout.current())).send(request, response);
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
  async npm(
    @Param('name') name: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<Buffer | undefined> {
    const packument = await this.packages.packument(name);
    if (!packument) throw new NotFound('package');
    const type = 'application/json; charset=utf-8';
    return new FixedResponse(JSON.stringify(packument), type).send(request, response);
  }

  /**
   * Download a package.
   *
   * @param file Such as `gatehouse-cli-0.2.0.tgz`.
   */
  @Get(':file')
  @Access('public')
  @ApiByteResponse('application/octet-stream')
  async file(
    @Param('file') name: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<StreamableFile | undefined> {
    const content = await this.packages.content(name);
    if (!content) throw new NotFound('package');
    return byteResponse(request, response, content);
  }
}
