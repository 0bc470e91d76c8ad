import { Global, Module, type OnModuleInit } from '@nestjs/common';

import { DocsAssets } from './docs-assets.js';
import { DocsLayout } from './docs-layout.js';
import { DocsPages } from './docs-pages.js';
import { DocsController } from './docs.controller.js';
import { ERROR_CODES_PAGE } from './error-codes.page.js';
import { GuidePages } from './guide-pages.js';
import { GuideController } from './guide.controller.js';

/** The pages below `/docs`. */
@Global()
@Module({
  controllers: [GuideController, DocsController],
  providers: [DocsAssets, DocsLayout, DocsPages, GuidePages],
  exports: [DocsLayout, DocsPages],
})
export class DocsModule implements OnModuleInit {
  constructor(private readonly pages: DocsPages) {}

  onModuleInit(): void {
    this.pages.register(ERROR_CODES_PAGE);
  }
}
