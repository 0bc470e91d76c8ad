import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type PostgresServer, startPostgres } from '../../libs/egress/test/postgres-server.js';
import {
  chooseSecret,
  describeWalk,
  expectAccessible,
  expectNoSidewaysScroll,
  sayWhatIsNew,
} from '../support/browser.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { finished, python, runUntil } from '../support/scripts.js';

const PASSWORD = 'the-true-password-of-orders';
/** Speaks the protocol itself: no package is at hand. Says what came of each statement. */
const WRITES = `
import json, os, socket, struct
db = socket.create_connection((os.environ["PGHOST"], int(os.environ["PGPORT"])))
stream = db.makefile("rb")
def send(kind, body):
    db.sendall(kind + struct.pack("!I", len(body) + 4) + body)
def result():
    said = None
    while True:
        kind = stream.read(1)
        body = stream.read(struct.unpack("!I", stream.read(4))[0] - 4)
        if kind == b"Z": return said
        if kind == b"C": said = body[:-1].decode()
        if kind == b"E": said = [part[1:].decode() for part in body.split(b"\\0") if part[:1] == b"M"][0]
send(b"", struct.pack("!I", 196608) + b"user\\0box\\0\\0")
result()
said = []
for sql in ["SELECT * FROM orders", "INSERT INTO orders VALUES (4)", "DELETE FROM orders"]:
    send(b"Q", sql.encode() + b"\\0")
    said.append(result())
print(json.dumps(said))
`;

describeWalk('a database whose writes wait for a person', (browser) => {
  const author = aGatedAttacker();
  let postgres: PostgresServer;
  let host: string;

  beforeAll(async () => {
    postgres = await startPostgres(author.upstreams.authority);
    host = `localhost:${postgres.port}`;
    await postgres.admin.query(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'; CREATE TABLE orders (id int);
      INSERT INTO orders VALUES (1), (2), (3); GRANT ALL ON orders TO app`);
    const value = JSON.stringify({ user: 'app', password: PASSWORD, database: 'postgres' });
    const secret = { kind: 'postgres', value, hosts: [host] };
    expect((await author.api.put('/v1/workspace/secrets/ORDERS', secret)).status).toBe(200);
  });
  afterAll(() => postgres?.close());

  it('is chosen in the editor, published, and decided about on the page of the run', async () => {
    const { api, workspace, gatehouse } = author;
    const script = await python(api, WRITES, { hosts: [host], timeout: 60 });
    const page = await browser.page(gatehouse.baseUrl, workspace.owner);
    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}/edit`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: `Protocol of ${host}` }).click();
    await page.getByRole('option', { name: 'PostgreSQL' }).click();
    const rules = page.getByRole('group', { name: host, exact: true });
    expect(await rules.getByRole('combobox', { name: 'A person is asked' }).count()).toBe(0);
    await rules.getByLabel('Only to read').uncheck();
    await rules.getByRole('combobox', { name: 'A person is asked' }).click();
    await page.getByRole('option', { name: 'About each that may write' }).click();
    await chooseSecret(page, 'ORDERS');
    await expectAccessible(page);
    await sayWhatIsNew(page, 'Publish');
    await page.waitForURL(`**/scripts/${script.slug}`);

    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}/versions/2`);
    await page.getByText('with the approval of a person for each statement that may write').waitFor();
    await page.goto(`/w/${workspace.slug}/-/scripts/${script.slug}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL('**/runs/run_*');
    // The yes shows all of it, and the no asks why.
    await decide(page, 'Approve', 'INSERT', 'INSERT INTO orders VALUES (4)');
    await decide(page, 'Deny', 'DELETE', 'Why not?');
    await page.getByRole('heading', { level: 1 }).getByText('Succeeded').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const id = /run_\w+/.exec(page.url())![0];
    const { output } = await runUntil(api, id, finished);
    expect(output).toEqual(['SELECT 3', 'INSERT 0 1', expect.stringContaining('denied')]);
    const { rows } = await postgres.admin.query('SELECT count(*)::int AS n FROM orders');
    expect(rows).toEqual([{ n: 4 }]);
  });

  /** @param text of the dialog */
  async function decide(page: Page, how: 'Approve' | 'Deny', command: string, text: string): Promise<void> {
    await page.getByText('A request of this run waits for approval').waitFor();
    await page.getByRole('link', { name: `Send ${command} postgres://${host}/postgres` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: new RegExp(`^${how} Send ${command}`) }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(text).first().waitFor();
    await dialog.getByRole('button', { name: how, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});
