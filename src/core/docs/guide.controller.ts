import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { NotFound } from '../errors/index.js';
import type { FixedResponse } from '../http/index.js';
import { DocsPages } from './docs-pages.js';
import { Page, pageOf } from './docs-page.decorator.js';
import { GuidePages } from './guide-pages.js';
import { renderGuide } from './render-guide.js';

/** The guide of `docs/guide`, for people who have the service and not its source. */
@Controller('docs/guide')
@ApiTags('Service')
export class GuideController {
  constructor(
    private readonly guide: GuidePages,
    private readonly pages: DocsPages,
  ) {}

  /** Show the first page of the guide. */
  @Get()
  @Page()
  index(): Promise<FixedResponse> {
    return this.show(null);
  }

  /**
   * Show a page of the guide.
   *
   * @param page Which one, such as `webhooks`.
   */
  @Get(':page')
  @Page()
  page(@Param('page') page: string): Promise<FixedResponse> {
    return this.show(page);
  }

  private async show(slug: string | null): Promise<FixedResponse> {
    const page = await this.guide.find(slug);
    if (!page) throw new NotFound('page');
    return pageOf(renderGuide(page, this.pages.frame()));
  }
}
