import { removeGroup } from './cgroups.js';
import type { SlotGroup } from './cgroups.js';
import { LauncherProcess } from './launcher-process.js';
import type { LauncherOptions } from './launcher-process.js';

/** A place where boxes run one after another, all with the same limits: a launcher and its cgroup. */
export class Slot {
  private constructor(
    /** Slots with the same key are interchangeable. */
    readonly key: string,
    readonly launcher: LauncherProcess,
    private readonly group: SlotGroup | null,
  ) {}

  /** @throws SandboxUnavailable if the launcher cannot prepare a box. */
  static async open(key: string, options: LauncherOptions, group: SlotGroup | null): Promise<Slot> {
    const slot = new Slot(key, new LauncherProcess(options), group);
    try {
      await slot.launcher.ready();
      return slot;
    } catch (error) {
      await slot.close();
      throw error;
    }
  }

  /** Ends what runs in it and removes its cgroup; what cannot be removed now is swept at the next start. */
  async close(): Promise<void> {
    await this.launcher.close();
    await Promise.allSettled((this.group?.directories ?? []).map((directory) => removeGroup(directory)));
  }
}
