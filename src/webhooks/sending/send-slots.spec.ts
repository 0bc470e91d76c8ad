import { describe, expect, it } from 'vitest';

import { SendSlots } from './send-slots.js';

class User {
  inFlight = 0;
  wants = Infinity;

  constructor(
    private readonly slots: SendSlots,
    readonly owner = String(Math.random()),
  ) {
    slots.join(this);
  }

  onSlot(): void {
    while (this.inFlight < this.wants && this.slots.take(this)) this.inFlight += 1;
  }

  end(): void {
    this.inFlight -= 1;
    this.slots.give(this);
  }
}

describe('SendSlots', () => {
  it('gives one user half of all at most, when others may come', () => {
    const slots = new SendSlots(40);
    const greedy = new User(slots);
    greedy.onSlot();
    expect(greedy.inFlight).toBe(20);
  });

  it('always has some for a newcomer', () => {
    const slots = new SendSlots(40);
    const stalled = Array.from({ length: 10 }, () => new User(slots));
    for (const user of stalled) user.onSlot();
    const newcomer = new User(slots);
    newcomer.onSlot();
    expect(newcomer.inFlight).toBeGreaterThanOrEqual(1);
  });

  it('always has some for another owner, however many users one has', () => {
    const slots = new SendSlots(40);
    const stalled = Array.from({ length: 100 }, () => new User(slots, 'greedy'));
    for (const user of stalled) user.onSlot();
    const newcomer = new User(slots);
    newcomer.onSlot();
    expect(newcomer.inFlight).toBe(10);
    // What ends goes to the newcomer first, until both owners have the same.
    for (const user of stalled.filter(({ inFlight }) => inFlight > 0)) {
      user.wants = 0;
      user.end();
    }
    expect(newcomer.inFlight).toBeGreaterThanOrEqual(10);
    const greedy = stalled.reduce((sum, { inFlight }) => sum + inFlight, 0);
    expect(greedy).toBeLessThanOrEqual(20);
  });

  it('leaves none of the many users of one owner without, as long as there are some', () => {
    const slots = new SendSlots(40);
    const users = Array.from({ length: 15 }, () => new User(slots, 'only'));
    for (const user of users) user.onSlot();
    expect(Math.min(...users.map(({ inFlight }) => inFlight))).toBeGreaterThanOrEqual(1);
  });

  it('hands what is given back to who waits, the first first', () => {
    const slots = new SendSlots(4);
    const [one, two] = [new User(slots), new User(slots)];
    one.onSlot();
    two.wants = 1;
    two.onSlot();
    const third = new User(slots);
    third.wants = 1;
    third.onSlot();
    const fourth = new User(slots);
    fourth.wants = 1;
    fourth.onSlot();
    expect([one, two, third, fourth].map(({ inFlight }) => inFlight)).toEqual([2, 1, 1, 0]);
    one.wants = 0;
    one.end();
    expect(fourth.inFlight).toBe(1);
  });

  it('loses none', () => {
    const slots = new SendSlots(6);
    const users = Array.from({ length: 5 }, () => new User(slots));
    for (let round = 0; round < 200; round++) {
      const user = users[round % 5]!;
      user.wants = 1 + (round % 3);
      user.onSlot();
      if (user.inFlight > 0 && round % 2 === 0) user.end();
      expect(users.reduce((sum, { inFlight }) => sum + inFlight, 0)).toBeLessThanOrEqual(6);
    }
    for (const user of users) {
      user.wants = 0;
      while (user.inFlight > 0) user.end();
      slots.leave(user);
    }
    const last = new User(slots);
    last.onSlot();
    expect(last.inFlight).toBe(3);
  });
});
