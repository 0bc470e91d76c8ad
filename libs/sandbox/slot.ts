import { removeGroup } from './cgroups.js';
import type { GroupMemory, SlotGroup } from './cgroups.js';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import type { InterpreterKind } from './interpreter-kind.js';
import { LauncherProcess } from './launcher-process.js';
import type { LauncherOptions, RunChannels, RunListener } from './launcher-process.js';
import { encodeRequest } from './launcher-protocol.js';
import type { LaunchRequest } from './launcher-protocol.js';

/** A place where boxes run one after another, all with the same limits: a launcher and its cgroup. */
export class Slot {
  /** The interpreter that was started here and has no run yet. */
  held: { kind: InterpreterKind; ready: boolean } | null = null;
  /** What its run is, or was last. */
  kind: InterpreterKind | null = null;

  private constructor(
    /** Slots with the same key are interchangeable. */
    readonly key: string,
    readonly launcher: LauncherProcess,
    private readonly group: SlotGroup | null,
  ) {}

  /**
   * @param onGone called when nothing is left of it
   * @throws SandboxUnavailable if the launcher cannot prepare a box.
   */
  static async open(
    key: string,
    options: LauncherOptions,
    group: SlotGroup | null,
    onGone = (): void => undefined,
  ): Promise<Slot> {
    const slot = new Slot(key, new LauncherProcess(options), group);
    void slot.launcher.gone.then(onGone);
    try {
      await slot.launcher.ready();
      return slot;
    } catch (error) {
      await slot.close();
      throw error;
    }
  }

  /** Starts a run. What is held here becomes its command if it is of the same kind, and ends otherwise. */
  start(request: LaunchRequest, kind: InterpreterKind | null, listener: RunListener): RunChannels {
    const becomes = kind !== null && this.held?.kind.key === kind.key;
    this.held = null;
    this.kind = kind;
    return this.launcher.start(encodeRequest(request, becomes ? 'become' : 'run'), listener);
  }

  /** Starts an interpreter that waits for a run. @param tell whether it has got so far */
  hold(kind: InterpreterKind, tell: (ready: boolean) => void): void {
    const held = { kind, ready: false };
    this.held = held;
    const { argv, env, directory } = kind;
    const options = bubblewrapArguments(env, directory);
    const request = { number: 0, timeoutMs: 0, graceMs: 0, binds: [], places: [], writableApp: null };
    this.launcher.wait(encodeRequest({ ...request, options, command: argv }, 'wait'), (ready) => {
      tell(ready);
      if (this.held !== held) return;
      if (ready) held.ready = true;
      // What it has said on its way lies in the pipes of the next run.
      else void this.close();
    });
  }

  /**
   * Starts an interpreter that is forked for each run of one version, or stays for several. The slot serves nothing else from then on.
   * @param app what is there before a run; null: nothing
   * @throws Error with the launcher's words, if it cannot be had or takes too long
   */
  async stand(
    kind: InterpreterKind,
    purpose: 'template' | 'stay',
    app: string | null,
    patienceMs: number,
  ): Promise<void> {
    const { argv, env, directory } = kind;
    const options = bubblewrapArguments(env, directory, true);
    const request = { number: 0, timeoutMs: 0, graceMs: 0, places: [], writableApp: null, options };
    const binds = app === null ? [] : [{ source: app, target: '/app' }];
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const impatience = setTimeout(() => resolve(false), patienceMs).unref();
    this.launcher.wait(encodeRequest({ ...request, binds, command: argv }, purpose), resolve);
    const ready = await Promise.race([promise, this.launcher.gone.then(() => false)]);
    clearTimeout(impatience);
    if (!ready) throw new Error(this.launcher.isGone ? this.launcher.lastWords : 'its start takes too long');
    this.held = { kind, ready };
  }

  /** Of its processes' own, in bytes; null where nothing counts it. */
  get memory(): GroupMemory | null {
    return this.group?.memory ?? null;
  }

  /** Ends what is held. */
  letGo(): void {
    if (this.held) this.launcher.order('C');
    this.held = null;
  }

  /** Ends what runs in it and removes its cgroup; what cannot be removed now is swept at the next start. */
  async close(): Promise<void> {
    await this.launcher.close();
    await Promise.allSettled((this.group?.directories ?? []).map((directory) => removeGroup(directory)));
  }
}
