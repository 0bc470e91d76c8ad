export {
  type CliCommandDefinition,
  type CliCommandSource,
  type CliParameter,
  DefinesCliCommands,
} from './cli-command.js';
export { CliCommandsModule } from './cli-commands.module.js';
