import { Controller, Get, Header, Param, Req, Res, applyDecorators } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access } from '../access/access.decorator.js';
import { Settings } from '../config/settings.js';
import { NotFound } from '../errors/problems.js';
import { ApiFixedResponse } from '../http/fixed-response.decorator.js';
import { FixedResponse } from '../http/fixed-response.js';
import type { GatehouseResponse, GatehouseRequest } from '../http/request.js';
import { DocsAssets } from './docs-assets.js';
import { DocsPages } from './docs-pages.js';
import { type Frame, renderApiPage, renderPage } from './render-page.js';

const HTML = 'text/html; charset=utf-8';

/** Only files and responses of our own origin, no inline code, in nobody's frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const Page = (): MethodDecorator =>
  applyDecorators(
    Access('public'),
    Header('content-security-policy', POLICY),
    Header('referrer-policy', 'no-referrer'),
    ApiProduces('text/html'),
    ApiFixedResponse({ description: 'The page.', schema: { type: 'string' } }),
  );

@Controller('docs')
@ApiTags('Service')
export class DocsController {
  private readonly base: string;

  constructor(
    private readonly pages: DocsPages,
    private readonly assets: DocsAssets,
    settings: Settings,
  ) {
    this.base = new URL(settings.baseUrl).pathname.replace(/\/+$/, '');
  }

  /** Show the interface as a page. */
  @Get()
  @Page()
  api(
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Buffer | undefined {
    return new FixedResponse(renderApiPage(this.frame), HTML).send(request, response);
  }

  /** Get a file that the pages are made with. */
  @Get('assets/:file')
  @Access('public')
  @ApiProduces('text/css', 'text/javascript')
  @ApiFixedResponse({ description: 'The file.', schema: { type: 'string' } })
  async asset(
    @Param('file') file: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<Buffer | undefined> {
    const asset = await this.assets.find(file);
    if (!asset) throw new NotFound('file');
    return asset.send(request, response);
  }

  /**
   * Show a page that explains terms.
   *
   * @param page Which one: `errors` explains the error codes.
   */
  @Get(':page')
  @Page()
  page(
    @Param('page') page: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Buffer | undefined {
    const found = this.pages.find(page);
    if (!found) throw new NotFound('page');
    return new FixedResponse(renderPage(found, this.frame), HTML).send(request, response);
  }

  private get frame(): Frame {
    return { base: this.base, pages: this.pages.all() };
  }
}
