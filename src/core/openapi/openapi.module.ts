import { Module } from '@nestjs/common';

import { ApiDescription } from './api-description.js';
import { ApiRoutes } from './api-routes.js';
import { OpenApiController } from './openapi.controller.js';

/** `GET /v1/openapi.json`. */
@Module({
  controllers: [OpenApiController],
  providers: [ApiDescription, ApiRoutes],
})
export class OpenApiModule {}
