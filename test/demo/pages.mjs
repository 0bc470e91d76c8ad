/** Signs in by the form, as a person does; gives the browser's state. */
export async function signIn(browser, { baseUrl, email, password }) {
  const context = await browser.newContext({ baseURL: baseUrl });
  const tab = await context.newPage();
  await tab.goto('/sign-in');
  await tab.getByLabel('E-mail').fill(email);
  await tab.locator('input[type=password]').fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.waitForURL('**/w/**');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Every page: its picture's name, its address, and what else must be there before the picture is taken. */
export async function pagesOf({ baseUrl, workspace }, { cookies }) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const list = async (path) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { cookie, 'x-workspace': workspace } });
    return (await response.json()).items;
  };
  const [pending] = await list('/v1/workspace/approval-requests?status=pending&limit=1');
  const [held] = (await list('/v1/workspace/approval-requests?status=pending&limit=10')).filter(
    ({ action }) => action === 'run.start',
  );
  const [sales] = await list('/v1/runs?script=daily-sales&status=succeeded&limit=1');
  const [failed] = await list('/v1/runs?status=failed&limit=1');
  const [endpoint] = await list('/v1/workspace/webhook-endpoints');
  const at = (path) => `/w/${workspace}/-/${path}`;
  return [
    { name: 'sign-in', path: '/sign-in', outside: true },
    { name: 'forgot-password', path: '/forgot-password', outside: true },
    { name: 'home', path: at('') },
    { name: 'scripts', path: at('scripts') },
    { name: 'script', path: at('scripts/daily-sales') },
    { name: 'script-insights', path: `${at('scripts/daily-sales/insights')}?since=month` },
    { name: 'script-versions', path: at('scripts/daily-sales/versions') },
    { name: 'script-schedules', path: at('scripts/daily-sales/schedules') },
    { name: 'script-triggers', path: at('scripts/clean-temp-files/triggers') },
    { name: 'script-usage', path: at('scripts/daily-sales/usage') },
    { name: 'script-settings', path: at('scripts/daily-sales/settings') },
    { name: 'new-script', path: at('scripts/new') },
    { name: 'edit-script', path: at('scripts/daily-sales/edit') },
    { name: 'insights', path: `${at('insights')}?since=month` },
    { name: 'runs', path: at('runs') },
    { name: 'run', path: at(`runs/${sales.id}`) },
    ...(failed ? [{ name: 'run-failed', path: at(`runs/${failed.id}`) }] : []),
    { name: 'approvals', path: at('approvals') },
    { name: 'decision', path: `/approvals/${(held ?? pending).id}` },
    { name: 'files', path: at('files') },
    { name: 'webhooks', path: at('webhooks') },
    ...(endpoint ? [{ name: 'webhook', path: at(`webhooks/${endpoint.id}`) }] : []),
    { name: 'event-types', path: at('webhooks/event-types') },
    ...['', 'members', 'teams', 'environments', 'secrets', 'api-keys', 'usage', 'audit'].map((section) => ({
      name: `settings-${section || 'general'}`,
      path: at(`settings/${section}`),
    })),
    { name: 'account', path: '/account' },
    { name: 'not-found', path: at('nowhere') },
  ];
}
