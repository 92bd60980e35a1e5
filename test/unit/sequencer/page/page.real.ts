// The page in a real browser: `npx ava --config test/system/real/ava.config.mjs test/unit/sequencer/page/page.real.ts`.
// PAGE_PICTURE=docs/page.png writes the picture of README as well.
import test from 'ava';
import { Workspace } from '../../../../sdk/index.ts';
import { start } from '../cli/a-terminal.ts';
import { aBrowser, aTab, barriersIn } from './a-browser.ts';
import { aPage, aStored, token } from './a-page.ts';
import { aShowcase } from './a-showcase.ts';
import { anOperatorPage } from './an-operator-page.ts';

const condition = (type: string, status: string, reason: string) =>
  ({ type, status, reason, lastTransitionTime: '2026-01-01T00:00:00Z' }) as never;

test.serial(
  'people watch the guard survive: killed in a change, its journal wiped, and Healthy in the end',
  async (t) => {
    const command = start(['dev', '--control']);
    const [, address = ''] = await command.printed(/^page +(http:\S+)$/m);
    const browser = await aBrowser(t);
    const { page, errors } = await aTab(browser, address);
    t.notRegex(page.url(), /#.{10}/, 'the token does not stay in the address');
    await page.getByRole('link', { name: /shop/ }).click();
    const graph = page.getByRole('region', { name: 'Graph of the conditions' });
    await graph.getByRole('link', { name: /Ready/ }).getByText('True').waitFor();
    await graph.getByRole('link', { name: /DNS/ }).click();
    const panel = page.getByRole('region', { name: 'Condition DNS' });
    const holder = () => panel.locator('dt:text-is("Holder") + dd').innerText();
    const before = await holder();
    await page.getByRole('button', { name: 'Plan changes' }).click();
    await page.getByText('nothing would be changed').waitFor();
    await page.getByRole('table', { name: 'Recorded plan' }).getByText('up to date').first().waitFor();
    await page.getByRole('table', { name: 'Dry run' }).getByRole('cell', { name: 'DNS', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Kill it in the next change' }).click();
    await page.getByText('the sequencer is killed during its next change').waitFor();
    await page.getByRole('button', { name: 'Wipe the status' }).click();
    await graph.getByRole('link', { name: /DNS/ }).getByText('Locked').waitFor({ timeout: 60_000 });
    await panel.getByText('the journal entry was lost, and was recreated').waitFor();
    await graph.getByRole('link', { name: /Ready/ }).getByText('True').waitFor({ timeout: 60_000 });
    await panel.getByText('done', { exact: true }).first().waitFor();
    t.not(await holder(), before, 'another sequencer holds it now');
    t.is(await panel.locator('dt:text-is("External ids") + dd code').count(), 1);
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByText('JournalRestored').waitFor();

    await page.getByRole('link', { name: 'Sequencer', exact: true }).click();
    await page.getByRole('cell', { name: 'default/shop-web', exact: true }).waitFor();
    t.deepEqual(errors, []);
    command.process.kill('SIGINT');
    t.is((await command.ended).code, 0);
  },
);

test.serial('two thousand workspaces: few are drawn, all can be reached by keys, search and filters', async (t) => {
  const { client, address, source } = await aPage(t);
  for (let number = 0; number < 2000; number += 1) {
    const phase = number % 100 === 7 ? 'Error' : 'Healthy';
    await aStored(client, `shop-${String(number).padStart(4, '0')}`, {
      phase,
      conditions: [condition('DNS', phase === 'Error' ? 'Error' : 'Completed', `reason ${number}`)],
    });
  }
  const { page, errors } = await aTab(await aBrowser(t), `${address}/#${token}`);
  await page.getByText('2000 workspaces', { exact: true }).waitFor();
  const rows = page.locator('.rows a');
  t.true((await rows.count()) < 60);
  await page.keyboard.press('/');
  await page.keyboard.type('shop-19');
  await page.getByText('100 of 2000 workspaces').waitFor();
  await page.getByRole('button', { name: /^Error/ }).click();
  await page.getByText('1 of 2000 workspaces').waitFor();
  await page.getByRole('button', { name: 'show all' }).click();
  await page.getByText('2000 workspaces', { exact: true }).waitFor();

  await rows.first().focus();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await page.keyboard.press('ArrowDown');
  await page.locator('.rows a[data-index="1"]:focus').waitFor();
  await page.keyboard.press('End');
  await page.locator('.rows a[data-index="1999"]:focus').waitFor();
  t.regex(String(await focused()), /shop-1999/);
  t.true((await rows.count()) < 60);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'shop-1999 default' }).waitFor();
  t.is(source.keys().length, 2000);

  const key = { name: 'shop-1998', namespace: 'default' };
  const gone = { phase: 'Error', conditions: [condition('DNS', 'Error', 'just now')] };
  await client.patch(Workspace, key, { type: 'merge', value: { status: gone } }, { subresource: 'status' });
  await page.locator('.rows').getByText('just now').waitFor();
  t.deepEqual(errors, []);
});

test.serial('on a phone, what failed and what waits for a person is one tap away', async (t) => {
  const { client, address } = await aPage(t);
  const said = {
    a: ['Deploying', 'In Progress'],
    b: ['Error', 'Error'],
    c: ['Deploying', 'Unknown'],
    d: ['Healthy', 'Completed'],
  };
  for (const [name, [phase, status = '']] of Object.entries(said))
    await aStored(client, name, { phase, conditions: [condition('DNS', status, `reason ${name}`)] } as never);
  const viewport = { width: 390, height: 844 };
  const { page, errors } = await aTab(await aBrowser(t), `${address}/#${token}`, { viewport });
  await page.getByText('4 workspaces', { exact: true }).waitFor();
  const chips = page.getByRole('group', { name: 'Phase' }).getByRole('button');
  t.deepEqual(await chips.allInnerTexts(), ['Unknown 1', 'Error 1', 'Deploying 2', 'Healthy 1']);
  await chips.first().click();
  await page.getByText('1 of 4 workspaces').waitFor();
  await page.locator('.rows').getByText('reason c').waitFor();
  await chips.first().click();
  await page.getByText('4 workspaces', { exact: true }).waitFor();
  t.deepEqual(errors, []);
});

test.serial('what tenants write is text, whatever it is', async (t) => {
  const { client, address } = await aPage(t);
  const markup = '<img src=x onerror="globalThis.hurt = 1"><script>globalThis.hurt = 1</script>';
  await aStored(client, 'evil', {
    phase: 'Error',
    host: 'javascript:alert(1)',
    conditions: [condition('__proto__', 'Error', markup), condition('a/../"><b>', 'Error', markup)],
    outputs: { DNS: { values: { constructor: markup } } },
    guards: { DNS: { phase: 'intent', op: 'create', key: markup, token: 1, holder: markup, refs: [{ markup }] } },
  });
  const { page, errors } = await aTab(await aBrowser(t), `${address}/#${token}`);
  await page.getByRole('link', { name: /evil/ }).click();
  await page.getByRole('region', { name: 'Graph of the conditions' }).getByRole('link', { name: /^DNS/ }).click();
  await page.getByRole('region', { name: 'Condition DNS' }).getByText('onerror').first().waitFor();
  t.is(await page.evaluate('globalThis.hurt'), undefined);
  t.is(await page.locator('img[src="x"], script:not([src])').count(), 0);
  const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  t.deepEqual(
    links.filter((href) => !href.startsWith('#/')),
    [],
  );
  t.deepEqual(errors, []);
});

test.serial('a token is asked for, and a server that is away is reported and found again', async (t) => {
  const { client, address, stop } = await aPage(t);
  await aStored(client, 'shop');
  const { page, errors } = await aTab(await aBrowser(t), address);
  await page.getByLabel('Token').fill('wrong-wrong-wrong-wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This token is not valid.').waitFor();
  t.deepEqual(await barriersIn(page), []);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /shop/ }).waitFor();
  stop.abort();
  await page.getByRole('alert').getByText('sends nothing').waitFor();
  await page.getByRole('link', { name: /shop/ }).waitFor();
  t.deepEqual(errors, []);
});

test.serial('a user of an operator signs in, sees one team and has no buttons', async (t) => {
  const operator = await anOperatorPage(t);
  const { page, errors } = await aTab(await aBrowser(t), operator.address);
  await page.getByLabel('Token').fill(operator.token);
  await page.keyboard.press('Enter');
  await page.getByText('1 workspace', { exact: true }).waitFor();
  await page.getByRole('link', { name: /shop team-a/ }).click();
  await page.getByText('You may not list the events of this namespace.').waitFor();
  t.is(await page.getByRole('region', { name: 'Inject a fault' }).count(), 0);
  t.is(await page.getByRole('button', { name: 'Plan changes' }).count(), 0);
  await page.getByRole('region', { name: 'Plan' }).getByText('no third party is asked').waitFor();
  t.is(await page.getByRole('link', { name: 'Sequencer', exact: true }).count(), 0);
  await page.goto(`${operator.address}/#/w/team-b/shop`);
  await page.getByText('There is no such workspace, or you may not see it.').waitFor();
  t.deepEqual(await barriersIn(page), []);
  t.deepEqual(errors, []);
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const [device, viewport] of [
    ['desktop', { width: 1360, height: 860 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)
    test.serial(`no barriers, and nothing beside the edge: ${colorScheme}, ${device}`, async (t) => {
      const { client, address } = await aPage(t, { actions: { 'control/kill': async () => ({ message: 'killed' }) } });
      await aStored(client, 'shop', {
        phase: 'Error',
        host: 'shop.example.com',
        conditions: ['Waiting', 'In Progress', 'Completed', 'Unknown', 'Locked', 'Error'].map((status, index) =>
          condition(`Condition${index}`, status, `a reason that is a little longer than others ${index}`),
        ),
        outputs: { Condition2: { values: { url: 'https://shop.example.com' } } },
        guards: {
          Condition5: {
            phase: 'intent',
            op: 'create',
            key: 'ws-1',
            token: 3,
            holder: 'host.1.ab/cd',
            leaseSeconds: 6,
            ambiguous: true,
          },
        },
      });
      const { page, errors } = await aTab(await aBrowser(t), `${address}/#${token}`, { colorScheme, viewport });
      await page.getByRole('link', { name: /shop/ }).waitFor();
      const look = async (place: string) => {
        t.deepEqual(await barriersIn(page), [], place);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        t.true(Number(wide) <= 0, `${place}: ${wide} pixels too wide`);
      };
      await look('list');
      await page.getByRole('link', { name: /shop/ }).click();
      await page.getByRole('region', { name: 'Condition Condition5' }).waitFor();
      await page.getByRole('button', { name: 'kill' }).click();
      await page.getByText('killed').waitFor();
      await look('workspace');
      await page.getByRole('link', { name: 'Sequencer', exact: true }).click();
      await page.getByRole('heading', { name: 'Queue' }).waitFor();
      await look('sequencer');
      t.deepEqual(errors, []);
    });

test.serial('the picture of README: workspaces in all states', async (t) => {
  await using showcase = await aShowcase();
  const { page, errors } = await aTab(await aBrowser(t), showcase.address, { viewport: { width: 1360, height: 800 } });
  await page.getByRole('link', { name: /^shop team-a/ }).click();
  const graph = page.getByRole('region', { name: 'Graph of the conditions' });
  await graph
    .getByRole('link', { name: /^Certificate/ })
    .getByText('Locked')
    .waitFor();
  await graph.getByRole('link', { name: /^Mail/ }).getByText('Completed').waitFor();
  await page.getByRole('button', { name: /^Healthy 4$/ }).waitFor();
  await page.locator('.rows').getByText('quota exceeded').waitFor();
  if (process.env.PAGE_PICTURE !== undefined) await page.screenshot({ path: process.env.PAGE_PICTURE });
  t.deepEqual(await barriersIn(page), []);
  t.deepEqual(errors, []);
});
