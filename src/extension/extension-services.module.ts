import { Global, Module } from '@nestjs/common';

import { OpenId } from '../sign-in/index.js';
import { Audit } from './audit.js';
import { Events } from './events.js';
import { Outbound } from './outbound.js';

/** What extensions may inject besides the services that `index.ts` names. */
@Global()
@Module({ providers: [Audit, Events, OpenId, Outbound], exports: [Audit, Events, OpenId, Outbound] })
export class ExtensionServicesModule {}
