export { DiskModule } from './disk.module.js';
export { DiskRoom } from './disk-room.js';
export { NeedsDisk } from './needs-disk.decorator.js';
export { megabytes, roomBelow } from './room-below.js';
export { assertWritable } from './writable.js';
