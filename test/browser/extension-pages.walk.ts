import {
  Access,
  Extension,
  ScriptTemplate,
  type ScriptTemplateProvider,
  SettingsPage,
  type SettingsFormProvider,
  type SettingsSchema,
} from '@gatehouse/extension';
import { type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { Body, Controller, Get, HttpCode, Module, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';

import OnCallExtension from '../../examples/on-call/on-call.extension.js';
import { DESK, PHONE, describeWalk, expectAccessible, expectNoSidewaysScroll } from '../support/browser.js';

class PagerInput {
  @ApiProperty()
  @IsInt()
  minutes: number;

  @ApiProperty({ required: false })
  @IsOptional()
  @IsString()
  token?: string;
}

/** Keeps what it is given, and is careless enough to give the secret back. */
@Controller('v1/pager')
class PagerController {
  static kept: PagerInput = { minutes: 5, token: 'the secret of before' };

  @Get()
  @Access({ role: 'admin' })
  get(): PagerInput {
    return PagerController.kept;
  }

  @Put()
  @HttpCode(204)
  @Access({ role: 'admin' })
  put(@Body() input: PagerInput): void {
    PagerController.kept = { ...PagerController.kept, ...input };
  }
}

@SettingsPage('pager')
class PagerForm implements SettingsFormProvider {
  readonly title = 'Pager';
  readonly path = '/v1/pager';
  readonly schema: SettingsSchema = {
    type: 'object',
    properties: {
      minutes: { type: 'integer', title: 'Minutes', minimum: 1 },
      token: { type: 'string', title: 'Token', writeOnly: true },
    },
    required: ['minutes'],
  };
}

@ScriptTemplate('pager')
class PagerTemplate implements ScriptTemplateProvider {
  readonly title = 'Page somebody';
  readonly description = 'Reaches the pager.';
  readonly files = { 'main.py': 'import sys\nprint("paged", sys.argv[1])\n', 'lib/words.py': '' };
  readonly command = 'python main.py {person}';
  readonly inputSchema = { type: 'object', properties: { person: { type: 'string' } }, required: ['person'] };
  readonly hosts = ['pager.example'];
}

@Extension({ name: 'pager' })
@Module({ controllers: [PagerController], providers: [PagerForm, PagerTemplate] })
class PagerModule {}

describeWalk('the pages of an extension in the settings', (browser) => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [OnCallExtension, PagerModule] });
  });

  afterAll(() => gatehouse?.stop());

  it.each([
    ['at a desk', DESK],
    ['on a phone', PHONE],
  ])('are a form with its problems at its fields, and a page in a frame, %s', async (_, viewport) => {
    const { baseUrl, workspace } = gatehouse;
    const admin = await workspace.person('admin');
    const page = await browser.page(baseUrl, admin, viewport);
    await page.goto(`/w/${workspace.slug}/-/settings/members`);
    if (viewport === PHONE) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('group', { name: 'Extensions' })
      .getByRole('link', { name: 'On call', exact: true })
      .click();

    await page.getByRole('heading', { name: 'On call', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: 'Person' }).fill('Ada');
    const phone = page.getByRole('textbox', { name: 'Phone' });
    await phone.fill('110');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be a number such as +4930123456.').waitFor();
    expect(await phone.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await phone.fill('+4930123456');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await expectNoSidewaysScroll(page);

    await page.goto(`/w/${workspace.slug}/-/settings/extensions/on_call.now`);
    const frame = page.frameLocator('iframe[title="On call now"]');
    await frame.getByText('Ada is on call.').waitFor();
    await frame.getByRole('button', { name: 'Take over' }).click();
    await frame.getByText(`${admin.name} is on call.`).waitFor();
    await expectAccessible(page);
    const { person } = (await gatehouse.api.as(admin).get('/v1/on-call')).body;
    expect(person).toBe(admin.name);
  });

  it('have secrets that are typed unseen, and stay where nothing is typed', async () => {
    const { baseUrl, workspace } = gatehouse;
    const page = await browser.page(baseUrl, workspace.owner);
    await page.goto(`/w/${workspace.slug}/-/settings/extensions/pager`);
    const token = page.getByLabel('Token');
    await token.waitFor();
    expect(await token.getAttribute('type')).toBe('password');
    expect(await token.inputValue()).toBe('');
    expect(await page.content()).not.toContain('the secret of before');

    const minutes = page.getByRole('textbox', { name: 'Minutes' });
    await minutes.fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Some fields need another look.').waitFor();
    await minutes.fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(PagerController.kept).toEqual({ minutes: 7, token: 'the secret of before' });

    await token.fill('another');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => PagerController.kept.token).toBe('another');
    await expect.poll(() => token.inputValue()).toBe('');
    await expectAccessible(page);
  });

  it('are not there for whom their routes are not', async () => {
    const { baseUrl, workspace } = gatehouse;
    const page = await browser.page(baseUrl, await workspace.person('member'));
    await page.goto(`/w/${workspace.slug}/-/settings/extensions/on_call`);
    await page.getByText('There is no such page').waitFor();
    const links = page.getByRole('group', { name: 'Extensions' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(['On call now']);
  });
});

describeWalk('the templates of an extension', (browser) => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [PagerModule] });
  });

  afterAll(() => gatehouse?.stop());

  it('are what a new script can begin with', async () => {
    const { baseUrl, workspace } = gatehouse;
    const page = await browser.page(baseUrl, await workspace.person('member'));
    await page.goto(`/w/${workspace.slug}/-/scripts/new`);
    const template = page.getByRole('button', { name: 'Page somebody' });
    await template.getByText('Reaches the pager.').waitFor();
    await expectAccessible(page);
    await template.click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Page somebody');
    await page.getByRole('button', { name: 'main.py' }).waitFor();
    await page.getByRole('button', { name: 'lib', exact: true }).click();
    await page.getByRole('button', { name: 'words.py' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.getByRole('textbox', { name: 'Command', exact: true }).inputValue()).toBe(
      'python main.py {person}',
    );
    await page.getByText('pager.example', { exact: true }).first().waitFor();
  });
});
