import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { HostAuthoritiesController } from './host-authorities.controller.js';
import { HostAuthorities } from './host-authorities.entity.js';
import { HostAuthoritiesEventTypes } from './host-authorities.event-types.js';
import { HostAuthoritiesRepository } from './host-authorities.repository.js';
import { HostAuthoritiesService } from './host-authorities.service.js';
import { HostAuthoritiesReader } from './host-authorities.reader.js';

/** By what the certificates of single hosts are checked, in place of public authorities. */
@Module({
  imports: [TypeOrmModule.forFeature([HostAuthorities])],
  controllers: [HostAuthoritiesController],
  providers: [
    HostAuthoritiesEventTypes,
    HostAuthoritiesRepository,
    HostAuthoritiesService,
    HostAuthoritiesReader,
  ],
  exports: [HostAuthoritiesReader],
})
export class HostAuthoritiesModule {}
