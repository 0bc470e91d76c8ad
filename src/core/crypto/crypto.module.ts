import { Global, Module } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { MasterKey } from './master-key.js';

@Global()
@Module({
  providers: [{ provide: MasterKey, inject: [Settings], useFactory: (settings: Settings) => MasterKey.load(settings) }],
  exports: [MasterKey],
})
export class CryptoModule {}
