import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { CliCommandsController } from './cli-commands.controller.js';
import { CliCommands } from './cli-commands.js';

/** Commands of extensions, which the command line asks for. */
@Module({
  imports: [DiscoveryModule],
  controllers: [CliCommandsController],
  providers: [CliCommands],
})
export class CliCommandsModule {}
