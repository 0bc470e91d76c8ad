import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { EnvironmentsModule } from '../environments/index.js';
import { FormerSecret } from './former-secret.entity.js';
import { Secret } from './secret.entity.js';
import { SecretEventTypes } from './secret.event-types.js';
import { SecretUseRecorder } from './secret-use-recorder.js';
import { SecretValue } from './secret-value.entity.js';
import { SecretVaultRepository } from './secret-vault.repository.js';
import { SecretVaultService } from './secret-vault.service.js';
import { SecretSourcesController } from './secret-sources.controller.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsRepository } from './secrets.repository.js';
import { SecretsService } from './secrets.service.js';
import { SecretSources } from './sources/secret-sources.js';
import { SourcedValuesService } from './sources/sourced-values.service.js';
import { VersionSecretsService } from './version-secrets.service.js';
import { DeleteSecretAction } from './secret.actions.js';

/** Values that scripts use without seeing them, one for each environment. */
@Module({
  imports: [EnvironmentsModule, TypeOrmModule.forFeature([FormerSecret, Secret, SecretValue])],
  controllers: [SecretSourcesController, SecretsController],
  providers: [
    DeleteSecretAction,
    SecretEventTypes,
    SecretsRepository,
    SecretsService,
    SecretSources,
    SecretUseRecorder,
    SecretVaultRepository,
    SecretVaultService,
    SourcedValuesService,
    VersionSecretsService,
  ],
  exports: [SecretUseRecorder, SecretVaultService, VersionSecretsService],
})
export class SecretsModule {}
