import { join } from 'node:path';

import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { Unavailable } from '../errors/index.js';
import { inTime } from '../time-limit/index.js';
import { megabytes, roomBelow, type RoomOnDisk } from './room-below.js';

/** A disk that has been low is not taken for roomy by the next file that goes. */
const ENOUGH = 1.1;
const FEWEST_FILES = 1_000;
const LOOK_MS = 1_000;
const RETRY_SECONDS = 10;

/** What this process fills. */
interface Place {
  name: 'database' | 'work' | 'files';
  /** That moves it to another disk. */
  setting: 'GATEHOUSE_DATA' | 'GATEHOUSE_FILES';
  path: string;
}

/**
 * Whether the disks that this process fills have room for more work. Some is kept free, so that what goes on can be written to its
 * end, and the embedded database does not stop for want of room.
 */
@Injectable()
export class DiskRoom {
  private readonly logger = new Logger('Disk');
  private readonly places: readonly Place[];
  private readonly reserveBytes: number;
  private readonly rooms = new Map<Place, RoomOnDisk>();
  private readonly low = new Set<Place>();

  constructor(settings: Settings) {
    this.places = placesOf(settings);
    this.reserveBytes = settings.diskReserveMb * 1e6;
  }

  /** Whether more work may be taken. */
  get isEnough(): boolean {
    return this.low.size === 0;
  }

  /** Which disk is low and what it means; null: none is. */
  get problem(): string | null {
    const [place] = this.low;
    return place === undefined ? null : this.sentence(place);
  }

  /** The room that was seen last, of each disk under the name of the first that is on it. */
  seen(): { name: string; bytes: number; isLow: boolean }[] {
    return Array.from(this.rooms, ([place, { bytes }]) => ({
      name: place.name,
      bytes,
      isLow: this.low.has(place),
    }));
  }

  /** @throws Unavailable where work that fills a disk is to be refused */
  assertEnough(): void {
    const { problem } = this;
    if (problem !== null) throw new Unavailable(problem, RETRY_SECONDS);
  }

  /** Looks at every disk, and says in the log what has changed. A disk that does not respond is what its users say of it. */
  async look(): Promise<void> {
    const devices = new Set<number>();
    for (const place of this.places) {
      const room = await inTime({ ms: LOOK_MS }, () => roomBelow(place.path)).catch(() => null);
      if (room === null || devices.has(room.device)) continue;
      devices.add(room.device);
      this.rooms.set(place, room);
      const wasLow = this.low.has(place);
      if (this.isLow(room, wasLow)) this.low.add(place);
      else this.low.delete(place);
      if (!wasLow && this.low.has(place)) this.logger.warn(this.sentence(place));
      if (wasLow && !this.low.has(place)) {
        this.logger.warn(`The disk of ${place.setting} has room again: ${megabytes(room.bytes)} are free.`);
      }
    }
  }

  private isLow({ bytes, files }: RoomOnDisk, wasLow: boolean): boolean {
    const needed = wasLow ? ENOUGH : 1;
    return bytes < this.reserveBytes * needed || (files !== null && files < FEWEST_FILES * needed);
  }

  private sentence(place: Place): string {
    const { bytes, files } = this.rooms.get(place)!;
    const left = bytes < this.reserveBytes * ENOUGH ? megabytes(bytes) : `${files} files`;
    return `The disk of ${place.setting} is full but for ${left}, which are kept for what goes on. New uploads and runs are refused until its operator makes room.`;
  }
}

/** Where another machine keeps the database or the files, their disk is not ours to look at. */
function placesOf({ databaseUrl, dataDirectory, files, role, runsScripts }: Settings): Place[] {
  const ownsDatabase = databaseUrl === null && role !== 'worker';
  return [
    ...(ownsDatabase
      ? [{ name: 'database', setting: 'GATEHOUSE_DATA', path: join(dataDirectory, 'postgres') } as const]
      : []),
    ...(runsScripts ? [{ name: 'work', setting: 'GATEHOUSE_DATA', path: dataDirectory } as const] : []),
    ...(files.kind === 'file'
      ? [{ name: 'files', setting: 'GATEHOUSE_FILES', path: files.directory } as const]
      : []),
  ];
}
