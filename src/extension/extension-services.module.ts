import { Global, Module } from '@nestjs/common';

import { Audit } from './audit.js';
import { Events } from './events.js';

/** What extensions may inject besides the services that `index.ts` names. */
@Global()
@Module({ providers: [Audit, Events], exports: [Audit, Events] })
export class ExtensionServicesModule {}
