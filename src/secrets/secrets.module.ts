import { Module } from '@nestjs/common';

import { EnvironmentsModule } from '../environments/environments.module.js';
import { DeleteSecretAction } from './actions/delete-secret.action.js';
import { SecretEventTypes } from './secret.event-types.js';
import { SecretUsage } from './secret-usage.js';
import { SecretVault } from './secret-vault.js';
import { SecretVaultRepository } from './secret-vault.repository.js';
import { SecretsController } from './secrets.controller.js';
import { SecretsRepository } from './secrets.repository.js';
import { Secrets } from './secrets.service.js';
import { VersionSecrets } from './version-secrets.service.js';

/** Values that scripts use without seeing them, one for each environment. */
@Module({
  imports: [EnvironmentsModule],
  controllers: [SecretsController],
  providers: [
    DeleteSecretAction,
    SecretEventTypes,
    Secrets,
    SecretsRepository,
    SecretUsage,
    SecretVault,
    SecretVaultRepository,
    VersionSecrets,
  ],
  exports: [Secrets, SecretUsage, SecretVault, VersionSecrets],
})
export class SecretsModule {}
