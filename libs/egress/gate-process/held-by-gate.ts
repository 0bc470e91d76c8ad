import { isHostName } from '../host-name.js';
import { readHostLabel } from '../host-pattern.js';
import { HostSet } from '../host-set.js';
import type { HeldRequest } from '../held-request.js';
import { type DecideHeld, MOST_ASKED, MOST_HELD, UNDECIDED } from '../held-requests.js';
import type { Refusal } from '../refusal.js';
import type { GatePlan } from './gate-plan.js';

type Answer = (number: number, refusal: Refusal | null) => void;

/** The requests that one gate says it holds, as the worker sees them. */
export class HeldByGate {
  private readonly hosts: HostSet;
  private readonly open = new Map<number, AbortController>();
  private readonly openedAt = Date.now();
  private last = 0;

  constructor(
    { hosts, services }: GatePlan,
    private readonly decide: DecideHeld | undefined,
  ) {
    this.hosts = new HostSet([...hosts, ...services.map(({ host }) => host)]);
  }

  /** The process may say anything: of what no gate would say nobody hears, so that no responses pile up that it does not read. */
  add(request: HeldRequest, answer: Answer): void {
    const { number, at } = request;
    const isPlausible = number > this.last && number <= MOST_ASKED && this.open.size < MOST_HELD;
    if (!this.decide || !isPlausible || !this.isDeclared(request.host)) return;
    this.last = number;
    const gone = new AbortController();
    this.open.set(number, gone);
    const now = Date.now();
    const held = { ...request, at: Math.min(Math.max(at, this.openedAt), now) };
    const close = (refusal: Refusal | null): void => {
      // Another process may hold another request under this number by now.
      if (this.open.get(number) !== gone) return;
      this.open.delete(number);
      answer(number, refusal);
    };
    this.decide(held, gone.signal).then(close, () => close(UNDECIDED));
  }

  /** The script has hung up. It counts until its decision is over, and is answered then as any other. */
  drop(number: number): void {
    this.open.get(number)?.abort();
  }

  /** The process that held them is gone, or the gate is closed. */
  dropAll(): void {
    this.last = 0;
    for (const gone of this.open.values()) gone.abort();
    this.open.clear();
  }

  isDeclared(label: string): boolean {
    const { name, port } = readHostLabel(label);
    return isHostName(name) && this.hosts.matches(name, port);
  }
}
