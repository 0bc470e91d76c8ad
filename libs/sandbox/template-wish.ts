import type { BoxSpec } from './box.js';
import { type InterpreterKind, templateOf } from './interpreter-kind.js';
import { type SlotKind, slotKey } from './slot-kind.js';

/** What a run could be forked from. */
export interface TemplateWish {
  kind: InterpreterKind;
  /** Of the slot. */
  key: string;
  app: string;
  /** For whom it is made: one at a time. */
  owner: string;
  /** Where they are fewer than what holds for all. */
  unusedMs?: number;
  mostRuns?: number;
}

/** What a run would like to be forked from; null: it cannot be forked. */
export function templateWish(
  { template, templateOwner = template, extraRoBinds, argv, app }: BoxSpec,
  kind: InterpreterKind,
  env: Readonly<Record<string, string>>,
  { limits, writesToDisk }: SlotKind,
): TemplateWish | null {
  if (template === undefined || templateOwner === undefined || extraRoBinds) return null;
  const ofTemplate = templateOf(kind, template, argv, env);
  // It is two processes itself.
  const key = slotKey({ limits: { ...limits, processes: limits.processes + 2 }, writesToDisk });
  return ofTemplate && { kind: ofTemplate, key, app, owner: templateOwner };
}
