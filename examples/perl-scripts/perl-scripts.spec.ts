import { archiveOf, startGatehouse } from '@gatehouse/testing';
import type { Client, TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PerlScriptsExtension } from './perl-scripts.extension.js';

const SCRIPT = `use strict;
# Usage: main.pl {city} [--unit {unit}]
print join('|', @ARGV), "\\n";
`;

describe('scripts in Perl', () => {
  let gatehouse: TestGatehouse;
  let owner: Client;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [PerlScriptsExtension], runsScripts: true });
    owner = gatehouse.api.as(gatehouse.workspace.owner.token);
    await owner.post('/v1/scripts', { slug: 'weather', name: 'Weather' });
  });

  afterAll(() => gatehouse?.stop());

  const upload = async (files: Record<string, string>) =>
    owner.post('/v1/scripts/weather/versions', { archive: await archiveOf(files) });

  it('run with the inputs that they name', async () => {
    const { body: version } = await upload({ 'main.pl': SCRIPT });
    expect(version.command).toBe('perl main.pl {city} [--unit {unit}]');
    await owner.post('/v1/scripts/weather/publish', { version: 1 });
    const { body: run } = await owner.post('/v1/scripts/weather/runs', { inputs: { city: 'São Paulo; ls' } });
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(JSON.stringify((await owner.get(`/v1/runs/${run.id}/log`)).body)).toContain('São Paulo; ls');
  });

  it('come after what Gatehouse finds itself', async () => {
    expect((await upload({ 'main.pl': SCRIPT, 'main.py': 'print(1)' })).body.command).toBe('python main.py');
  });

  it('are looked for, and that is said where there are none', async () => {
    const { status, body } = await upload({ 'main.rb': 'puts 1' });
    expect(status).toBe(400);
    expect(body.error.details[0].message).toContain('The runtime perl_scripts looked for main.pl.');
  });

  it('begin as a template, which works as it is', async () => {
    const { items } = (await owner.get('/v1/workspace/script-templates')).body;
    const { command, files } = items[0];
    expect(items).toEqual([expect.objectContaining({ name: 'perl_scripts', title: 'Perl', command: null })]);
    const version = await upload({ [files[0].path]: files[0].content });
    expect([version.status, command, version.body.command]).toEqual([201, null, 'perl main.pl {name}']);
  });

  it('have a line of usage that can be a command', async () => {
    const { status, body } = await upload({ 'main.pl': '# Usage: main.pl {city' });
    expect(status).toBe(400);
    expect(body.error.details[0].message).toContain('the command that the runtime perl_scripts worked out');
  });
});
