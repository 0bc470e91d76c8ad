import { type DynamicModule, Module } from '@nestjs/common';

import type { Settings } from '../core/config/index.js';
import { AwsSource } from './aws/aws-source.js';
import { VaultSource } from './vault/vault-source.js';

/** Sources of secrets that are switched on by settings: Vault and AWS Secrets Manager. */
@Module({})
export class SecretStoresModule {
  static of({ secretStores: { vault, aws } }: Settings): DynamicModule {
    return {
      module: SecretStoresModule,
      providers: [...(vault ? [VaultSource] : []), ...(aws ? [AwsSource] : [])],
    };
  }
}
