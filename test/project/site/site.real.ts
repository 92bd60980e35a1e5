// The built site in a real browser, after `npm run docs`: `npx ava --config test/system/real/ava.config.mjs test/project/site/site.real.ts`.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { aBrowser, aTab, barriersIn } from '../../unit/sequencer/page/a-browser.ts';

const dist = join(import.meta.dirname, '../../../site/dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the built site on a free port of this machine; returns its address. */
async function served(t: ExecutionContext): Promise<string> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const path = join(dist, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    const body = await readFile(path).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
    });
    response.end(body);
  });
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a page of the site, and keeps the addresses that its tab asks for. */
async function visited(t: ExecutionContext, path: string, colorScheme: 'light' | 'dark' = 'light') {
  const address = await served(t);
  const { page, errors } = await aTab(await aBrowser(t), 'about:blank', { colorScheme });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:')) outside.push(request.url());
  });
  await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
  await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined"); // its keys and links work from then on
  return { page, errors, outside };
}

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'));

test.serial('the home page shows the four paths, in order, and the version', async (t) => {
  const { page, errors, outside } = await visited(t, '/');
  const cards = await page.locator('.VPFeature .title').allInnerTexts();
  t.deepEqual(cards, ['Write an integration', 'Run it', 'Test operators in any language', 'Build a controller']);
  await page.getByRole('button', { name: version }).waitFor();
  await page.locator('.VPFeature', { hasText: 'Build a controller' }).click();
  await page.waitForURL('**/getting-started.html#build-a-controller');
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  t.deepEqual(errors, []);
  t.deepEqual(outside, []);
});

for (const [words, found] of [
  ['listLagMs', /listlagms/],
  ['guard', /guard/],
  ['defineIntegration', /defineIntegration/],
] as const)
  test.serial(`the search finds ${words}`, async (t) => {
    const { page, errors, outside } = await visited(t, '/getting-started.html');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill(words);
    const links = page.locator('.VPLocalSearchBox .results a');
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    t.true(
      addresses.some((href) => found.test(href)),
      addresses.join(' '),
    );
    await links.first().click();
    await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
    t.deepEqual(errors, []);
    t.deepEqual(outside, []);
  });

for (const path of [
  '/',
  '/getting-started.html',
  '/architecture.html',
  '/integrations/',
  '/api/sdk/functions/createClient.html',
])
  for (const scheme of ['light', 'dark'] as const)
    test.serial(`axe finds nothing serious in ${path}, ${scheme}`, async (t) => {
      const { page, errors, outside } = await visited(t, path, scheme);
      t.is(await page.evaluate("document.documentElement.classList.contains('dark')"), scheme === 'dark');
      t.deepEqual(await barriersIn(page, ['serious', 'critical']), []);
      t.deepEqual(errors, []);
      t.deepEqual(outside, []);
    });

test.serial('diagrams are drawn, and name every layer', async (t) => {
  const { page } = await visited(t, '/architecture.html');
  const first = await page.locator('.diagram svg').first().textContent();
  for (const layer of ['sdk/api', 'sequencer', 'integrations', 'test/compliance'])
    t.true(first?.includes(layer), layer);
});
