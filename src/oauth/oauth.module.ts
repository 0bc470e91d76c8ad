import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule } from '../auth/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { AppRequestsController } from './app-requests.controller.js';
import { AppRequestsService } from './app-requests.service.js';
import { ArtifactResealing } from './artifact-resealing.js';
import { ArtifactStore } from './artifact-store.js';
import { AppConsentService } from './app-consent.service.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { ClientDocumentFetcher } from './client-document-fetcher.js';
import { ConnectedAppsController } from './connected-apps.controller.js';
import { ConnectedAppsService } from './connected-apps.service.js';
import { DeviceRequestsController } from './device-requests.controller.js';
import { DeviceRequestsService } from './device-requests.service.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthUrls } from './oauth-urls.js';
import { OAuthArtifact } from './oauth-artifact.entity.js';
import { OAuthArtifactsRepository } from './oauth-artifacts.repository.js';
import { OAuthController } from './oauth.controller.js';
import { OperatorClientsService } from './operator-clients.service.js';
import { RegisteredClients } from './registered-clients.js';
import { ServerMetadata } from './server-metadata.js';

/** The authorization server: how a person lets an app act for them. */
@Module({
  imports: [TypeOrmModule.forFeature([OAuthArtifact]), AuthModule, EnvironmentsModule, ScriptsModule],
  controllers: [
    AppRequestsController,
    ConnectedAppsController,
    DeviceRequestsController,
    MetadataController,
    OAuthController,
  ],
  providers: [
    AppRequestsService,
    ArtifactResealing,
    ArtifactStore,
    AppConsentService,
    AuthorizationServer,
    ClientDocumentFetcher,
    ConnectedAppsService,
    DeviceRequestsService,
    OAuthUrls,
    OAuthArtifactsRepository,
    OperatorClientsService,
    RegisteredClients,
    ServerMetadata,
  ],
})
export class OAuthModule {}
