/**
 * `Date` of this process, moved while a test has moved a clock: `new Date()`, `Date()` and `Date.now()` say the moved moment.
 * Timers, `performance` and what Node itself does, such as looking at certificates, keep the machine's time.
 */
const MachineDate = globalThis.Date;
const machineNow = MachineDate.now;

/** How far each owner has moved it, in milliseconds. */
const ahead = new Map<object, number>();

const MovedDate = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget) as Date,
  apply: (target) => new target(target.now()).toString(),
});

/** Milliseconds since 1970, whatever clocks were moved. */
export function machineTime(): number {
  return machineNow.call(MachineDate);
}

/** Whether anybody has moved it, and not put it back. */
export function isDateMoved(): boolean {
  return ahead.size > 0;
}

/** Moves it so many milliseconds ahead of the machine. Where several owners did, it is as far ahead as the farthest. */
export function moveDate(owner: object, milliseconds: number): void {
  ahead.set(owner, milliseconds);
  MachineDate.now = () => machineTime() + Math.max(...ahead.values());
  globalThis.Date = MovedDate;
}

/** Puts it back, as far as this owner had moved it. */
export function putDateBack(owner: object): void {
  if (!ahead.delete(owner) || ahead.size > 0) return;
  MachineDate.now = machineNow;
  globalThis.Date = MachineDate;
}
