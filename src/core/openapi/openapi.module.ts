import { Module } from '@nestjs/common';

import { OpenApiDocumentFactory } from './open-api-document-factory.js';
import { OpenApiRouteDescriber } from './open-api-route-describer.js';
import { OpenApiController } from './openapi.controller.js';

/** `GET /v1/openapi.json`. */
@Module({
  controllers: [OpenApiController],
  providers: [OpenApiDocumentFactory, OpenApiRouteDescriber],
})
export class OpenApiModule {}
