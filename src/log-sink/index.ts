export { LogSinkModule } from './log-sink.module.js';
