import { Global, Module } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { loadMasterKey } from './load-master-key.js';
import { MasterKey } from './master-key.js';
import { WorkspaceKeys } from './workspace-keys.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

@Global()
@Module({
  providers: [
    { provide: MasterKey, inject: [Settings, WorkspaceKeysRepository], useFactory: loadMasterKey },
    WorkspaceKeys,
    WorkspaceKeysRepository,
  ],
  exports: [MasterKey, WorkspaceKeys],
})
export class CryptoModule {}
