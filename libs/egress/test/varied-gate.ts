import { afterAll, afterEach, beforeAll } from 'vitest';
import { Inside, Outside } from './gate-fixture.js';
import type { Origin } from './origin.js';
import { startVaried } from './varied-origin.js';

/** A gate before a host with a path for each kind of response. Each test opens its own. */
export class VariedGate {
  outside!: Outside;
  inside!: Inside;
  origin!: Origin;

  /** To be called within `describe`. */
  static forEach(): VariedGate {
    const scene = new VariedGate();
    beforeAll(async () => {
      scene.outside = await Outside.open();
      scene.origin = await startVaried(scene.outside);
    });
    afterEach(() => scene.inside.close());
    afterAll(() => scene.outside.close());
    return scene;
  }

  async open(options: Partial<Parameters<typeof Inside.open>[2]> = {}): Promise<void> {
    const declared = ['api.test', '*.wild.test'];
    this.inside = await Inside.open(this.outside, this.origin.port, { declared, ...options });
  }
}
