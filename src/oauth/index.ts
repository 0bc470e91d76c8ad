export { ArtifactResealing } from './artifact-resealing.js';
export { OAuthArtifact } from './oauth-artifact.entity.js';
export { OAuthArtifactsRepository } from './oauth-artifacts.repository.js';
export { type OperatorClient, OperatorClientsService } from './operator-clients.service.js';
export { OAuthModule } from './oauth.module.js';
