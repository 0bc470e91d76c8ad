import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { writeAddressLibrary } from './address-library.js';
import { type BoxedProcess, type BoxExit, type BoxSpec, DEFAULT_LIMITS, SandboxUnavailable } from './box.js';
import { placesOf } from './box-egress.js';
import { BoxedRun } from './boxed-run.js';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import { sweepGroups } from './cgroups.js';
import { codeReservation } from './code-reservation.js';
import { findGroups } from './find-groups.js';
import { launcherArguments } from './launcher-arguments.js';
import { kindOf } from './interpreter-kind.js';
import { commandThatStays, type KeptOptions, keptWish } from './kept.js';
import { openKept, openTemplates } from './open-templates.js';
import { ownName } from './ownership.js';
import { explainFailure, findBubblewrap } from './probe.js';
import { planRuntimes, type Runtimes } from './runtimes.js';
import type { SandboxOptions } from './sandbox-options.js';
import type { SandboxParts } from './sandbox-parts.js';
import { seccompFilter } from './seccomp-filter.js';
import { writeSkeleton } from './skeleton.js';
import { Slot } from './slot.js';
import { type SlotKind, slotKey, slotKindOf } from './slot-kind.js';
import { SlotPool } from './slot-pool.js';
import { openStateDirectory } from './state-directory.js';
import { checkSpec } from './check-spec.js';
import { NetworkFileStore } from './network-files.js';
import { withTrust } from './trust.js';
import { doorBeside, namesThatWait } from './warm-files.js';
import { templateWish } from './template-wish.js';
import type { TemplateOptions, Templates, TemplateState } from './templates.js';
import { removeTree } from './tree-removal.js';
import { type BoxUsers, findBoxUsers } from './box-users.js';
import { defaultLauncherPath } from './launcher-path.js';
import { besideOrdinaryUser, watchesOfBox } from './user-limits.js';

/** `reduced`: no cgroup is ours to make, so memory is limited for each process only. */
type LimitsMode = 'cgroup-v2' | 'cgroup-v1' | 'reduced';

const DEFAULT_GRACE_MS = 5000;
const MAX_DELAY_MS = 0xffffffff;

const filterName = (writesToDisk: boolean): string => (writesToDisk ? 'seccomp-disk' : 'seccomp');

function optionsOf<T extends object>(option: boolean | T): T | null {
  if (option === false) return null;
  return option === true ? ({} as T) : option;
}

const TEST_MS = 20_000;

/**
 * Runs commands in boxes: a file system of their own, no network but what is asked for, limits on everything.
 * One per process; it knows nothing of what the commands are for.
 *
 * @example
 * const sandbox = await Sandbox.open();
 * const box = sandbox.run({ argv: ['python3', 'main.py'], env: {}, app: '/srv/app', timeoutMs: 30_000 });
 * box.stdout.pipe(process.stdout);
 * const { code } = await box.exited;
 * for await (const file of box.outputs()) console.log(file.path, file.size);
 * await box.dispose();
 */
export class Sandbox {
  private readonly pool: SlotPool;
  private readonly networkFiles: NetworkFileStore;
  private readonly templates: Templates | null;
  private readonly kept: Templates | null;
  /** Of all sandboxes of this process, for it names cgroups. */
  private static slotCount = 0;
  private runCount = 0;
  /** Names of the interpreters that can wait for a run. */
  private readonly waiting: readonly string[];

  private constructor(
    readonly runtimes: Runtimes,
    private readonly parts: SandboxParts,
  ) {
    const { directory, maxSlots: size, warmth } = parts;
    this.pool = new SlotPool({ open: (key) => this.openSlot(key), size, warmth });
    this.waiting = namesThatWait(runtimes);
    this.templates = openTemplates(parts, (key) => this.openSlot(key));
    this.kept = openKept(parts, (key) => this.openSlot(key));
    this.networkFiles = new NetworkFileStore(directory);
  }

  get limits(): LimitsMode {
    return this.parts.groups?.kind ?? 'reduced';
  }

  /**
   * Looks at what the machine offers, cleans up after dead workers, and runs a box to see that it works.
   * @throws SandboxUnavailable with words that tell what to do. There is no way to run anything without a box.
   */
  static async open(options: SandboxOptions = {}): Promise<Sandbox> {
    if (process.platform !== 'linux') throw new SandboxUnavailable('the sandbox needs Linux');
    // Boxes die with the thread that started their launcher.
    if (!isMainThread) throw new SandboxUnavailable('the sandbox must be opened from the main thread');
    const launcherPath = options.launcherPath ?? defaultLauncherPath();
    if (!existsSync(launcherPath)) {
      throw new SandboxUnavailable(
        `the sandbox's launcher has not been built (${launcherPath}): run \`node libs/sandbox/build-launcher.mjs\``,
      );
    }
    const bubblewrap = findBubblewrap();
    const nodePath = options.nodePath ?? process.execPath;
    const plan = planRuntimes(nodePath);
    const groups = options.forceReduced ? null : findGroups(options.cgroupName ?? 'sandbox');
    if (groups) await sweepGroups(groups);

    const directory = await openStateDirectory(options.stateDirectory ?? tmpdir());
    let sandbox: Sandbox | null = null;
    try {
      const skeleton = join(directory, 'root');
      mkdirSync(skeleton);
      const door = doorBeside(launcherPath);
      const mounts = await writeSkeleton(skeleton, plan, groups !== null, door);
      writeAddressLibrary(join(skeleton, 'box'), launcherPath);
      mkdirSync(join(directory, 'empty'), { mode: 0o755 });
      for (const writesToDisk of [false, true]) {
        const filter = seccompFilter(process.arch, { memoryIsCounted: groups !== null, writesToDisk });
        writeFileSync(join(directory, filterName(writesToDisk)), filter);
      }
      sandbox = new Sandbox(plan.runtimes, {
        directory,
        mounts,
        launcherPath,
        bubblewrap,
        groups,
        reservedBytes: groups ? 0 : codeReservation(nodePath),
        users: await findBoxUsers(launcherPath, join(directory, 'empty')),
        maxSlots: options.maxSlots ?? 64,
        warmth: door === null ? null : optionsOf(options.warmInterpreters ?? true),
        templates: door === null ? null : optionsOf<TemplateOptions>(options.templates ?? true),
        kept: door === null ? null : optionsOf<KeptOptions>(options.kept ?? true),
      });
      await sandbox.testItself();
      await sandbox.warm(options.warmSlots ?? 1);
      return sandbox;
    } catch (error) {
      if (sandbox) await sandbox.close();
      else await removeTree(directory);
      throw explainFailure(error);
    }
  }

  /**
   * Starts a command, at once if a slot is idle.
   * @throws TypeError for a spec that no box can be made from. Everything later is told by `started` and `exited`.
   */
  run(spec: BoxSpec): BoxedProcess {
    checkSpec(spec);
    const { argv, network } = spec;
    const number = this.runCount++ % 2 ** 32;
    const places = network ? placesOf(network) : [];
    const env = network ? withTrust(spec.env) : spec.env;
    const slotKind: SlotKind = {
      limits: { ...DEFAULT_LIMITS, ...spec.limits },
      writesToDisk: spec.writableApp !== undefined,
    };
    const key = slotKey(slotKind);
    const mayWait = this.parts.warmth && !spec.writableApp && spec.warm !== false;
    const kind = mayWait ? kindOf(argv, env, this.waiting) : null;
    const standing = spec.keep ? this.kept : this.templates;
    const wish = kind && standing && (spec.keep ? keptWish : templateWish)(spec, kind, env, slotKind);
    const taken = wish && standing.take(wish);
    const kept = taken !== null && standing === this.kept;
    const files = network ? this.networkFiles.write(network) : null;
    const request = {
      number,
      timeoutMs: Math.min(spec.timeoutMs, MAX_DELAY_MS),
      graceMs: Math.min(spec.graceMs ?? DEFAULT_GRACE_MS, MAX_DELAY_MS),
      binds: [
        { source: spec.app, target: '/app' },
        ...(spec.inputs === undefined ? [] : [{ source: spec.inputs, target: '/inputs' }]),
        ...(files?.binds ?? []),
        ...(spec.extraRoBinds ?? []),
      ],
      places,
      writableApp: spec.writableApp ?? null,
      options: bubblewrapArguments(env),
      command: argv,
    };
    const run = new BoxedRun({
      number,
      command: argv[0] ?? '',
      places,
      writableApp: spec.writableApp ? spec.app : null,
      cleanUp: () => files?.remove(),
    });
    const begin = (): void => {
      if (wish) run.exited.finally(() => standing.ranOtherwise(wish)).catch(() => undefined);
      this.pool.begin(run, key, { request, kind });
    };
    if (!taken) {
      begin();
      return run;
    }
    run.begin(taken, {
      request: kept ? { ...request, command: commandThatStays(argv) } : request,
      kind: wish.kind,
      forked: !kept,
      kept,
      giveBack: (slot) => standing.release(slot),
      instead: begin,
    });
    return run;
  }

  /** An app's folder is about to be removed: what stays and might hold its files ends. */
  forget(app: string): void {
    this.templates?.forget(app);
    this.kept?.forget(app);
  }

  /** Kills what runs and removes everything that was made. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.templates?.close(), this.kept?.close()]);
    this.parts.groups?.dispose();
    await removeTree(this.parts.directory);
  }

  /** How its templates fare; null: it has none. */
  get templateState(): TemplateState | null {
    return this.templates?.state ?? null;
  }

  /** How processes fare that stay; null: none may. */
  get keptState(): TemplateState | null {
    return this.kept?.state ?? null;
  }

  private openSlot(key: string): Promise<Slot> {
    const { limits: wanted, writesToDisk } = slotKindOf(key);
    const { directory, mounts, launcherPath, bubblewrap, groups, reservedBytes, users, maxSlots } =
      this.parts;
    const isRoot = process.getuid?.() === 0;
    const limits = isRoot ? wanted : besideOrdinaryUser(wanted, maxSlots);
    const name = `${ownName()}-${Sandbox.slotCount++}`;
    const group = groups?.create(name, limits) ?? null;
    const user = users.next();
    const words = launcherArguments({
      bubblewrap,
      skeleton: join(directory, 'root'),
      mounts,
      limits,
      reservedBytes,
      group,
      user,
      words: users.words,
      watches: users.kind === 'own' ? watchesOfBox(maxSlots) : null,
    });
    const options = {
      path: launcherPath,
      arguments: words,
      seccompFile: join(directory, filterName(writesToDisk)),
    };
    return Slot.open(key, options, group, () => users.giveBack(user));
  }

  /** Whom boxes run as on the host, see `BoxUsers`. */
  get boxUsers(): BoxUsers['kind'] {
    return this.parts.users.kind;
  }

  private async warm(count: number): Promise<void> {
    const key = slotKey({ limits: DEFAULT_LIMITS, writesToDisk: false });
    const slots = await Promise.all(Array.from({ length: count }, () => this.pool.acquire(key, null)));
    await Promise.all(slots.map((slot) => this.pool.release(slot)));
  }

  /** Whether a command of that name, which has no path, is on the PATH of a box. */
  async finds(program: string): Promise<boolean> {
    return (await this.tried(['sh', '-c', 'command -v -- "$1"', 'sh', program])).code === 0;
  }

  private async testItself(): Promise<void> {
    const { code, signal } = await this.tried(['true']);
    if (code !== 0) throw new SandboxUnavailable(`\`true\` ended with ${signal ?? code} in a box`);
  }

  /** How a command of ours ended. @throws SandboxUnavailable where it did not run, with what it complained of */
  private async tried(argv: string[]): Promise<BoxExit> {
    const box = this.run({ argv, env: {}, app: join(this.parts.directory, 'empty'), timeoutMs: TEST_MS });
    let complaint = '';
    box.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    box.stdout.resume();
    try {
      return await box.exited;
    } catch (error) {
      throw new SandboxUnavailable(`${(error as Error).message}\n${complaint}`.trim());
    } finally {
      await box.dispose();
    }
  }
}
