import test from 'ava';
import { anchorOf, filesOf, linkOf, pageOf, targetsIn } from '../../../site/pages.ts';

const sources = new Set(['docs/guard.md', 'docs/models/README.md', 'integrations/README.md', 'README.md']);

test('pages keep the path of their file below docs, and READMEs are where their folder is', (t) => {
  t.deepEqual(['docs/README.md', 'docs/cluster/faults.md', 'integrations/s3/README.md', 'README.md'].map(pageOf), [
    'index.md',
    'cluster/faults.md',
    'integrations/s3/index.md',
    'overview.md',
  ]);
});

test('a link to a page stays on the site, with its anchor', (t) => {
  t.is(linkOf('docs/models/okt.md', '../guard.md#what-holds', { sources }), '/guard.md#what-holds');
  t.is(linkOf('docs/guard.md', 'models/', { sources }), '/models/index.md');
  t.is(linkOf('integrations/s3/README.md', '../../README.md', { sources }), '/overview.md');
});

test('a link to another site or to a heading of the page is left as it is', (t) => {
  for (const href of ['https://example.com/docs/guard.md', 'mailto:a@example.com', '#rules'])
    t.is(linkOf('docs/guard.md', href, { sources }), href);
});

test('a link to a source leads to the repository at this version, or to a page that shows it', (t) => {
  const files = filesOf({ url: 'git+https://code.example/team/project.git' }, '1.2.3');
  t.is(files, 'https://code.example/team/project/blob/v1.2.3');
  t.is(linkOf('docs/guard.md', '../sdk/retry.ts#L3', { sources, files }), `${files}/sdk/retry.ts#L3`);
  t.is(linkOf('docs/guard.md', '../sdk/retry.ts', { sources }), '/source/sdk/retry.ts.md');
  t.is(linkOf('CONTRIBUTING.md', 'test/system/README.md', { sources }), '/source/test/system/README.md');
  t.is(filesOf(undefined, '1.2.3'), undefined);
});

test('targets are those of prose, with pictures and without what code has in brackets', (t) => {
  const markdown = 'a [b](../sdk/b.ts#c) ![d](page.png) [e](https://example.com)\n\n```ts\nf[g](h.ts)\n```\n';
  t.deepEqual(targetsIn('docs/guard.md', markdown), ['sdk/b.ts', 'docs/page.png']);
});

test('anchors are made as code hosts make them', (t) => {
  t.is(anchorOf('`E#2011`: what is not *yet* there'), 'e2011-what-is-not-yet-there');
  t.is(anchorOf('@kubernetes/client-node'), 'kubernetesclient-node');
});
