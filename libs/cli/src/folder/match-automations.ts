import type { Gatehouse, Hook, Schedule, Trigger } from '@gatehouse/client';

import { say } from '../terminal/say.js';
import type { WantedHook, WantedSchedule, WantedTrigger } from './definition.js';

interface Automation {
  id: string;
  name: string;
}

/** How those of one kind are made, changed and deleted. */
interface Kind<Wanted extends { name: string; enabled?: boolean }> {
  word: string;
  create(input: Omit<Wanted, 'enabled'>): Promise<Automation>;
  update(id: string, wanted: Wanted): Promise<unknown>;
  delete(id: string): Promise<void>;
}

/** Makes a script's schedules be those of the file, told apart by their names. */
export async function matchSchedules(
  gatehouse: Gatehouse,
  slug: string,
  wanted: readonly WantedSchedule[],
): Promise<void> {
  const { schedules } = gatehouse;
  await match<WantedSchedule, Schedule>(wanted, await schedules.listOfScript(slug).all(), {
    word: 'schedule',
    create: (input) => schedules.create(slug, input),
    update: (id, patch) => schedules.update(id, patch),
    delete: (id) => schedules.delete(id),
  });
}

/** The same for triggers. One that is to follow another type of event is made anew, since none changes its type. */
export async function matchTriggers(
  gatehouse: Gatehouse,
  slug: string,
  wanted: readonly WantedTrigger[],
): Promise<void> {
  const { triggers } = gatehouse;
  const there = await triggers.listOfScript(slug).all();
  const isOther = ({ name, eventType }: Trigger): boolean =>
    wanted.some((one) => one.name === name && one.eventType !== eventType);
  for (const { id } of there.filter(isOther)) await triggers.delete(id);
  await match<WantedTrigger, Trigger>(
    wanted,
    there.filter((one) => !isOther(one)),
    {
      word: 'trigger',
      create: (input) => triggers.create(slug, input),
      update: (id, { eventType: _, ...patch }) => triggers.update(id, patch),
      delete: (id) => triggers.delete(id),
    },
  );
}

/** The same for hooks. A new one's address is not printed, since what CI prints is kept: `hooks rotate` gives one. */
export async function matchHooks(
  gatehouse: Gatehouse,
  slug: string,
  wanted: readonly WantedHook[],
): Promise<void> {
  const { hooks } = gatehouse;
  await match<WantedHook, Hook>(wanted, await hooks.listOfScript(slug).all(), {
    word: 'hook',
    create: async (input) => {
      const made = await hooks.create(slug, input);
      say(`For its address: gatehouse hooks rotate ${made.id}`);
      return made;
    },
    update: (id, patch) => hooks.update(id, patch),
    delete: (id) => hooks.delete(id),
  });
}

async function match<Wanted extends { name: string; enabled?: boolean }, There extends Automation>(
  wanted: readonly Wanted[],
  there: readonly There[],
  kind: Kind<Wanted>,
): Promise<void> {
  const names = wanted.map(({ name }) => name);
  for (const one of wanted) {
    const found = there.find(({ name }) => name === one.name);
    if (found && isAs(found, one)) continue;
    if (found) await kind.update(found.id, one);
    else {
      const { enabled, ...input } = one;
      const { id } = await kind.create(input);
      if (enabled === false) await kind.update(id, one);
    }
    say(`${kind.word} ${one.name}: ${found ? 'changed' : 'made'}`);
  }
  for (const { id, name } of there.filter((one) => !names.includes(one.name))) {
    await kind.delete(id);
    say(`${kind.word} ${name}: deleted`);
  }
}

/** Whether everything that the file says of it is so already. */
function isAs(there: object, wanted: object): boolean {
  const found = there as Record<string, unknown>;
  return Object.entries(wanted).every(([name, value]) => sameJson(found[name], value));
}

function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const [left, right] = [Object.entries(one), Object.entries(other)];
  const values = other as Record<string, unknown>;
  return left.length === right.length && left.every(([name, value]) => sameJson(value, values[name]));
}
