import { Module } from '@nestjs/common';

import { PackagesController } from './packages.controller.js';
import { PackagesService } from './packages.service.js';

/** The packages of this version, from the service itself: nothing of ours is in a public registry. */
@Module({ controllers: [PackagesController], providers: [PackagesService] })
export class PackagesModule {}
