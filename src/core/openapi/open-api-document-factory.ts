import { type INestApplication, Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

import { SessionCookie } from '../access/index.js';
import { Settings } from '../config/index.js';
import { OpenApiRouteDescriber } from './open-api-route-describer.js';
import type { ApiDocument } from './document.js';
import { ERROR_SCHEMA, errorResponses } from './error-responses.js';
import { HEADERS } from './headers.js';
import { INTRODUCTION } from './introduction.js';
import { nameOpenObjects } from './name-open-objects.js';
import { nameTitledSchemas } from './name-titled-schemas.js';
import { nameSchemas } from './name-schemas.js';
import { PARAMETERS, completeOperations } from './operations.js';
import { describeRequests } from './request-schemas.js';
import { boundTexts } from './text-bounds.js';
import { tidySchemas } from './tidy-schemas.js';

const VERSION = '1.0.0';

/** The OpenAPI document, made of what controllers and DTOs declare. */
@Injectable()
export class OpenApiDocumentFactory {
  constructor(
    private readonly routes: OpenApiRouteDescriber,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
    private readonly cookie: SessionCookie,
  ) {}

  build(): ApiDocument {
    const document = this.generate();
    const routes = this.routes.all();
    document.components = {
      ...document.components,
      schemas: { ...document.components.schemas, Error: ERROR_SCHEMA },
      responses: errorResponses(),
      headers: HEADERS,
      parameters: PARAMETERS,
    };
    nameTitledSchemas(document);
    tidySchemas(document);
    describeRequests(document);
    boundTexts(document, routes);
    completeOperations(document, routes);
    nameSchemas(document);
    nameOpenObjects(document);
    return document;
  }

  private generate(): ApiDocument {
    const builder = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle('Gatehouse')
      .setVersion(VERSION)
      .setDescription(INTRODUCTION)
      .addServer(this.settings.baseUrl)
      .setExternalDoc('The error codes', `${this.settings.baseUrl}/docs/errors`)
      .addSecurity('personalAccessToken', {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'svc_pat_…',
        description:
          'Acts as its person, within its scopes and workspaces. Made in the app under Account, API tokens.',
      })
      .addSecurity('apiKey', {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'svc_sk_…',
        description: 'Acts in its workspace without a person. Made in the app under Settings, API keys.',
      })
      .addSecurity('app', {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'svc_oat_…',
        description: 'Acts as the person who connected the app, within what they granted. Got by OAuth 2.1.',
      })
      .addSecurity('session', {
        type: 'apiKey',
        in: 'cookie',
        name: this.cookie.name,
        description: 'A person in the app. Made by `POST /v1/auth/login`.',
      });
    const options = { autoTagControllers: false };
    return SwaggerModule.createDocument(this.application, builder.build(), options) as unknown as ApiDocument;
  }

  /** The generator wants the application, which nothing inside of it can have; these are the parts that it looks at. */
  private get application(): INestApplication {
    const parts = {
      container: { getModules: () => this.modules },
      config: this.config,
      getHttpAdapter: () => this.host.httpAdapter,
    };
    return parts as unknown as INestApplication;
  }
}
