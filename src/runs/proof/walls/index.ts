import type { Wall } from '../wall.js';
import { FILE_WALLS } from './files.js';
import { KERNEL_WALLS } from './kernel.js';
import { LEFT_BEHIND } from './left-behind.js';
import { LIMIT_WALLS } from './limits.js';
import { NETWORK_WALLS } from './network.js';
import { PRIVILEGE_WALLS } from './privileges.js';
import { PROCESS_WALLS } from './processes.js';

/** In the order in which they are told. The last is tried when the others are done. */
export const WALLS: readonly Wall[] = [
  ...PROCESS_WALLS,
  ...FILE_WALLS,
  ...PRIVILEGE_WALLS,
  ...KERNEL_WALLS,
  ...LIMIT_WALLS,
  ...NETWORK_WALLS,
  LEFT_BEHIND,
];
