import { describe, expect, it } from 'vitest';

import { SendPermits } from './send-permits.js';

/** Takes as many as it wants, one after the other. */
class User {
  inFlight = 0;
  wants = Infinity;
  private isTaking = false;

  constructor(
    private readonly permits: SendPermits,
    readonly owner = String(Math.random()),
  ) {
    permits.join(this);
  }

  begin(): void {
    if (!this.isTaking) void this.takeAll();
  }

  end(): void {
    this.inFlight -= 1;
    this.permits.release(this);
  }

  private async takeAll(): Promise<void> {
    this.isTaking = true;
    while (this.inFlight < this.wants) {
      await this.permits.acquire(this);
      this.inFlight += 1;
      if (this.inFlight > this.wants) this.end();
    }
    this.isTaking = false;
  }
}

/** Until nobody can go on. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('SendPermits', () => {
  it('gives one user half of all at most, when others may come', async () => {
    const permits = new SendPermits(40);
    const greedy = new User(permits);
    greedy.begin();
    await settled();
    expect(greedy.inFlight).toBe(20);
  });

  it('always has some for a newcomer', async () => {
    const permits = new SendPermits(40);
    const stalled = Array.from({ length: 10 }, () => new User(permits));
    for (const user of stalled) user.begin();
    await settled();
    const newcomer = new User(permits);
    newcomer.begin();
    await settled();
    expect(newcomer.inFlight).toBeGreaterThanOrEqual(1);
  });

  it('always has some for another owner, however many users one has', async () => {
    const permits = new SendPermits(40);
    const stalled = Array.from({ length: 100 }, () => new User(permits, 'greedy'));
    for (const user of stalled) user.begin();
    await settled();
    const newcomer = new User(permits);
    newcomer.begin();
    await settled();
    expect(newcomer.inFlight).toBe(10);
    // What ends goes to the newcomer first, until both owners have the same.
    for (const user of stalled.filter(({ inFlight }) => inFlight > 0)) {
      user.wants = 0;
      user.end();
    }
    await settled();
    expect(newcomer.inFlight).toBeGreaterThanOrEqual(10);
    const greedy = stalled.reduce((sum, { inFlight }) => sum + inFlight, 0);
    expect(greedy).toBeLessThanOrEqual(20);
  });

  it('leaves none of the many users of one owner without, as long as there are some', async () => {
    const permits = new SendPermits(40);
    const users = Array.from({ length: 15 }, () => new User(permits, 'only'));
    for (const user of users) user.begin();
    await settled();
    expect(Math.min(...users.map(({ inFlight }) => inFlight))).toBeGreaterThanOrEqual(1);
  });

  it('hands what is given back to who waits, the first first', async () => {
    const permits = new SendPermits(4);
    const users: User[] = [];
    for (const wants of [Infinity, 1, 1, 1]) {
      const user = new User(permits);
      user.wants = wants;
      user.begin();
      await settled();
      users.push(user);
    }
    expect(users.map(({ inFlight }) => inFlight)).toEqual([2, 1, 1, 0]);
    const [first, , , last] = users as [User, User, User, User];
    first.wants = 0;
    first.end();
    await settled();
    expect(last.inFlight).toBe(1);
  });

  it('loses none', async () => {
    const permits = new SendPermits(6);
    const users = Array.from({ length: 5 }, () => new User(permits));
    for (let round = 0; round < 200; round++) {
      const user = users[round % 5]!;
      user.wants = 1 + (round % 3);
      user.begin();
      await settled();
      if (user.inFlight > 0 && round % 2 === 0) user.end();
      expect(users.reduce((sum, { inFlight }) => sum + inFlight, 0)).toBeLessThanOrEqual(6);
    }
    for (const user of users) {
      user.wants = 0;
      while (user.inFlight > 0) user.end();
    }
    await settled();
    for (const user of users) permits.leave(user);
    const last = new User(permits);
    last.begin();
    await settled();
    expect(last.inFlight).toBe(3);
  });
});
