import { Controller, Get, Param } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import { NotFound } from '../errors/index.js';
import { ApiFixedResponse, type FixedResponse } from '../http/index.js';
import { DocsAssets } from './docs-assets.js';
import { Page, pageOf } from './docs-page.decorator.js';
import { DocsPages } from './docs-pages.js';
import { renderApiPage, renderPage } from './render-page.js';

@Controller('docs')
@ApiTags('Service')
export class DocsController {
  constructor(
    private readonly pages: DocsPages,
    private readonly assets: DocsAssets,
  ) {}

  /** Show the interface as a page. */
  @Get()
  @Page()
  api(): FixedResponse {
    return pageOf(renderApiPage(this.pages.frame()));
  }

  /** Get a file that the pages are made with. */
  @Get('assets/:file')
  @Access('public')
  @ApiProduces('text/css', 'text/javascript')
  @ApiFixedResponse({ description: 'The file.', schema: { type: 'string' } })
  async asset(@Param('file') file: string): Promise<FixedResponse> {
    const asset = await this.assets.find(file);
    if (!asset) throw new NotFound('file');
    return asset;
  }

  /**
   * Show a page that explains terms.
   *
   * @param page Which one: `errors` explains the error codes.
   */
  @Get(':page')
  @Page()
  page(@Param('page') page: string): FixedResponse {
    const found = this.pages.find(page);
    if (!found) throw new NotFound('page');
    return pageOf(renderPage(found, this.pages.frame()));
  }
}
