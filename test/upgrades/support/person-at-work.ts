import { setTimeout as sleep } from 'node:timers/promises';

import { type Client, createClient, type Json } from '../../../libs/testing/index.js';

/** The script that a first start publishes. */
const SCRIPT = 'country-chart';

/** Somebody who reads and changes things by one process, whatever happens around it. */
export class PersonAtWork {
  /** What was not answered as it should, with the answer. */
  readonly failures: string[] = [];
  done = 0;
  private stopped = false;
  private working: Promise<void> = Promise.resolve();

  private constructor(private readonly api: Client) {}

  static begin(baseUrl: string, { personalAccessToken, workspace }: Record<string, string>): PersonAtWork {
    const person = new PersonAtWork(
      createClient({ baseUrl, token: personalAccessToken!, workspace: workspace! }),
    );
    person.working = person.work();
    return person;
  }

  /** Until so many rounds are done. */
  async until(rounds: number): Promise<void> {
    while (this.done < rounds && this.failures.length === 0) await sleep(20);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.working;
  }

  /** A run of the example, with the file that it was given before. */
  async run(): Promise<Json> {
    const { body: files } = await this.api.get('/v1/files?limit=100');
    const table = files.items.find(({ name }: { name: string }) => name === 'countries.csv');
    return (await this.api.post(`/v1/scripts/${SCRIPT}/runs`, { inputs: { countries: table.id } })).body;
  }

  private async work(): Promise<void> {
    while (!this.stopped) {
      const slug = `at-work-${this.done}`;
      for (const request of [
        () => this.api.post('/v1/scripts', { slug, name: slug }),
        () => this.api.get(`/v1/scripts/${slug}`),
        () => this.api.patch(`/v1/scripts/${slug}`, { description: 'changed' }),
        () => this.api.get('/v1/runs?limit=20'),
        () =>
          this.api.put('/v1/workspace/secrets/AT_WORK', {
            value: slug.repeat(2),
            hosts: ['api.example.com'],
          }),
        () => this.api.get('/v1/workspace/audit-events?limit=5'),
      ]) {
        const { status, text } = await request();
        if (status >= 400) this.failures.push(`${slug}: ${status} ${text}`);
      }
      this.done += 1;
    }
  }
}
