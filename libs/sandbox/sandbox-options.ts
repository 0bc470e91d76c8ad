import type { KeptOptions } from './kept.js';
import type { TemplateOptions } from './templates.js';
import type { WarmthOptions } from './warm-interpreters.js';

export interface SandboxOptions {
  /** The program built by `build-launcher.mjs`. Default: beside this module, else in `dist/libs/sandbox`. */
  launcherPath?: string;
  /** The Node of the boxes: an absolute path. Default: that of this process. */
  nodePath?: string;
  /** Slots made at once, so that the first runs need not wait for them. Default 1. */
  warmSlots?: number;
  /** At most this many boxes at a time; further runs wait. Default 64. */
  maxSlots?: number;
  /** Name of the cgroup under which the boxes' are made. Default `sandbox`. */
  cgroupName?: string;
  /** Do without cgroups although there are some. */
  forceReduced?: boolean;
  /** Start interpreters before there is a run for them, of the kinds that ran lately, see `interpreter-kind.ts`. Default true. */
  warmInterpreters?: boolean | WarmthOptions;
  /** Keep an interpreter for each script that runs often, and fork it for each run, see `templates.ts`. Default true. */
  templates?: boolean | TemplateOptions;
  /** Let processes stay whose spec says so, see `kept.ts`. Default true. */
  kept?: boolean | KeptOptions;
  /** For files that every box needs. Default: the system's directory for temporary files. */
  stateDirectory?: string;
}
