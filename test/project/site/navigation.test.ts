import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'ava';
import { addressOf, groupsOf, otherReleases, titleOf } from '../../../site/navigation.ts';
import { pageOf, sourcesOfPages } from '../../../site/pages.ts';

const root = join(import.meta.dirname, '../../..');
const home = readFileSync(join(root, 'docs/README.md'), 'utf8');
const paths = ['Write an integration', 'Run it', 'Test operators in any language', 'Build a controller'];

test('headings are groups, and the first link of each entry of their lists is a page', (t) => {
  const markdown =
    '# T\n\n## `One`\n\nA sentence.\n\n1. [A `b`](a.md#c): see [d](d.md). 5 minutes.\n\n## Two\n\n* [E](../F.md): g\n';
  t.deepEqual(groupsOf('docs/README.md', markdown), [
    { text: 'One', about: 'A sentence.', items: [{ text: 'A b', link: '/a#c' }] },
    { text: 'Two', about: '* [E](../F.md): g', items: [{ text: 'E', link: '/F' }] },
  ]);
  t.is(titleOf('# `sequencer run`\n'), 'sequencer run');
});

test('the home page begins with the four paths; each step is a page, a sentence and its minutes', (t) => {
  t.deepEqual(
    groupsOf('docs/README.md', home)
      .slice(0, 4)
      .map(({ text }) => text),
    paths,
  );
  const steps = home.split('\n').filter((line) => /^\d+\. /.test(line));
  t.true(steps.length > 20);
  t.deepEqual(
    steps.filter((step) => !/^\d+\. \[.+\]\(\S+\)[^.?!]*[.?]? ?[^.?]*\. \d+ minutes\.$/.test(step)),
    [],
  );
});

test('README lists the docs by the same paths, in the same order', (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const places = paths.map((path) => readme.indexOf(`**${path}**`));
  t.false(places.includes(-1));
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test('every page of the docs is in the navigation', (t) => {
  const shown = new Set(groupsOf('docs/README.md', home).flatMap(({ items }) => items.map(({ link }) => link)));
  const pages = globSync('docs/**/*.md', { cwd: root }).filter(
    (page) => !/^docs\/(README|cluster\/|models\/)/.test(page),
  );
  t.true(pages.length > 15);
  t.deepEqual(
    pages.filter((page) => !shown.has(addressOf(pageOf(page)))),
    [],
  );
});

/** Pages of the integrations that have none of their own. */
const shared: Readonly<Record<string, string>> = Object.fromEntries(
  ['gitea', 'github', 'gitlab', 'previews'].map((folder) => [folder, 'docs/previews.md']),
);

test('every integration has a page, which the site shows and integrations/README.md lists', (t) => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: object };
  const doors = Object.keys(exports).flatMap((door) => /^\.\/integrations\/([^/]+)/.exec(door)?.[1] ?? []);
  const folders = [...new Set(doors)];
  t.true(folders.length > 15);
  const sources = globSync([...sourcesOfPages], { cwd: root });
  const list = readFileSync(join(root, 'integrations/README.md'), 'utf8');
  const pages = folders.map((folder) => shared[folder] ?? `integrations/${folder}/README.md`);
  t.deepEqual(
    pages.filter((page) => !existsSync(join(root, page)) || !sources.includes(page)),
    [],
  );
  t.deepEqual(
    pages.filter((page) => !list.includes(`](${relative('integrations', page)}`)),
    [],
  );
});

test('other releases are those of the changelog, one for each minor version', (t) => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 0.10.0 (2027-02-01)\n\n## 0.9.1\n\n### Fixed\n\n## 0.9.0\n\n## 0.1.0\n';
  const links = (version: string) => otherReleases(changelog, version).map(({ text, link }) => `${text} ${link}`);
  t.deepEqual(links('0.10.0'), ['0.9 /0.9/', '0.1 /0.1/']);
  t.deepEqual(links('0.1.0'), ['0.10 /0.10/', '0.9 /0.9/']);
  t.deepEqual(otherReleases('# Changelog\n\n## Unreleased\n', '0.1.0'), []);
});
