import { Global, Module } from '@nestjs/common';

import { Audit } from './audit.js';
import { Events } from './events.js';
import { Outbound } from './outbound.js';

/** What extensions may inject besides the services that `index.ts` names. */
@Global()
@Module({ providers: [Audit, Events, Outbound], exports: [Audit, Events, Outbound] })
export class ExtensionServicesModule {}
