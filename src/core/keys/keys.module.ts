import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Settings } from '../config/index.js';
import { loadMasterKey } from './load-master-key.js';
import { MasterKey } from '../crypto/index.js';
import { WorkspaceKey } from './workspace-key.entity.js';
import { WorkspaceKeysService } from './workspace-keys.service.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([WorkspaceKey])],
  providers: [
    { provide: MasterKey, inject: [Settings, WorkspaceKeysRepository], useFactory: loadMasterKey },
    WorkspaceKeysService,
    WorkspaceKeysRepository,
  ],
  exports: [MasterKey, WorkspaceKeysService],
})
export class KeysModule {}
