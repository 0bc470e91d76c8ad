import { type CanActivate, Injectable, UseGuards } from '@nestjs/common';

import { DiskRoom } from './disk-room.js';

@Injectable()
class DiskGuard implements CanActivate {
  constructor(private readonly disk: DiskRoom) {}

  canActivate(): boolean {
    this.disk.assertEnough();
    return true;
  }
}

/** For routes that take much: refuses before the body is read where the disk is nearly full. */
export const NeedsDisk = (): MethodDecorator => UseGuards(DiskGuard);
