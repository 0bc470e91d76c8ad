import { Global, Module, type OnModuleInit } from '@nestjs/common';

import { DocsAssets } from './docs-assets.js';
import { DocsPages } from './docs-pages.js';
import { DocsController } from './docs.controller.js';
import { ERROR_CODES_PAGE } from './error-codes.page.js';

/** The pages below `/docs`. */
@Global()
@Module({
  controllers: [DocsController],
  providers: [DocsAssets, DocsPages],
  exports: [DocsPages],
})
export class DocsModule implements OnModuleInit {
  constructor(private readonly pages: DocsPages) {}

  onModuleInit(): void {
    this.pages.register(ERROR_CODES_PAGE);
  }
}
