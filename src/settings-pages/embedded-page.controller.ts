import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import { ApiFixedResponse, FixedResponse, type GatehouseResponse } from '../core/http/index.js';
import { embeddedDocument } from './embedded-document.js';
import { EMBEDDED_PAGE_HEADERS } from './embedded-page-policy.js';
import { SettingsPages } from './settings-pages.js';

@ApiTags('Workspace')
@Controller('v1/settings-pages')
export class EmbeddedPageController {
  constructor(private readonly pages: SettingsPages) {}

  /**
   * Get an embedded page of an extension
   * @remarks For a frame of the console: it has no origin, no network, and may be shown nowhere else.
   */
  @Get(':page')
  @Access('session')
  @ApiProduces('text/html')
  @ApiFixedResponse({ description: 'The page.', schema: { type: 'string' } })
  get(@Param('page') name: string, @Res({ passthrough: true }) response: GatehouseResponse): FixedResponse {
    const html = embeddedDocument(this.pages.embedded(name));
    response.setHeaders(new Map(Object.entries(EMBEDDED_PAGE_HEADERS)));
    return new FixedResponse(html, 'text/html; charset=utf-8');
  }
}
