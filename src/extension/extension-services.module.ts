import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { SignInModule } from '../sign-in/index.js';
import { Audit } from './audit.js';
import { Events } from './events.js';
import { Outbound } from './outbound.js';
import { UndecoratedProviders } from './undecorated-providers.js';

/** What extensions may inject besides the services that `index.ts` names. */
@Global()
@Module({
  imports: [DiscoveryModule, SignInModule],
  providers: [Audit, Events, Outbound, UndecoratedProviders],
  exports: [Audit, Events, Outbound, SignInModule],
})
export class ExtensionServicesModule {}
