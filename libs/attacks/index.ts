export { HIDE, LEAVE, LOOK, seekHidden } from './boxes.js';
export {
  asked,
  type CallArgument,
  DOORS,
  exists,
  MOUNTS,
  NEW_NAMESPACES,
  OTHER_PROCESSES,
  type RefusedCall,
  SOCKETS,
  TRY_CALLS,
} from './calls.js';
export { DATA_DIRECTORY, DIGESTS, FILL, HOST_FILES, INODES, SEARCH, WRITABLE } from './files.js';
export { PRELUDE as GATE_PRELUDE } from './gate-prelude.js';
export { MEMORY, memoryTogether } from './memory.js';
export { CONNECT, DATAGRAMS, NAMES, OUT_OF_BOUNDS } from './network.js';
export { PRELUDE } from './prelude.js';
export { BONDS, OTHER_USERS, OWN_SETUID, RIGHTS, SETUID_PROGRAMS } from './privileges.js';
export {
  commandLine,
  daemonOf,
  DEAF,
  FIRST_PROCESS,
  FORKS,
  processesWith,
  readProc,
  SIGNALS,
} from './processes.js';
export { numberOf, type SystemCall, unknownNumbers } from './system-calls.js';
