import test, { type ExecutionContext } from 'ava';
import { brokenLinks } from '../../../site/broken-links.ts';
import { aFolder } from '../../unit/a-folder.ts';

const aSite = (t: ExecutionContext, home: string): Promise<string> =>
  aFolder(t, {
    'index.html': home,
    'page.png': '',
    'api/index.html': '<h2 id="größe">…</h2><a class="up" href="/">up</a>',
  });

test('links to pages, anchors, files and other sites are whole', async (t) => {
  const links = [
    '/api/#gr%C3%B6%C3%9Fe',
    'api/',
    '/page.png',
    '#here',
    'https://example.com/nowhere',
    'mailto:a@b.example',
  ];
  const home = links.map((href) => `<a href="${href}">a</a>`).join('');
  t.deepEqual(brokenLinks(await aSite(t, `<h1 id="here">…</h1>${home}`)), []);
});

test('links that lead nowhere are reported with their page', async (t) => {
  const home = '<a href="/gone.html">a</a><a class="b" href="/api/#gone">b</a><a href="#gone">c</a>';
  t.deepEqual(brokenLinks(await aSite(t, home)), [
    'index.html: /gone.html leads nowhere',
    'index.html: /api/#gone: no such anchor',
    'index.html: #gone: no such anchor',
  ]);
});

test('a site that is served under a path may not link above it', async (t) => {
  t.deepEqual(brokenLinks(await aSite(t, '<a href="/0.1/api/">a</a><a href="../api/">b</a>'), { base: '/0.1/' }), [
    'index.html: ../api/ leaves the site',
    'api/index.html: / leaves the site',
  ]);
});

test('a link to another release beside the site is not looked at', async (t) => {
  const folder = await aSite(t, '<a href="/0.1/">a</a><a href="/0.2/">b</a>');
  t.deepEqual(brokenLinks(folder, { beside: ['/0.1/'] }), ['index.html: /0.2/ leads nowhere']);
});
