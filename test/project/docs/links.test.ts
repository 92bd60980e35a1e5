import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { anchorOf, proseOf } from '../../../site/pages.ts';

const root = join(import.meta.dirname, '../../..');
const pages = globSync(['*.md', '{docs,examples,integrations,deploy,sdk,sequencer,test}/**/*.md'], { cwd: root });

const textOf = (page: string): string => proseOf(readFileSync(join(root, page), 'utf8'));

const anchorsIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));

function mistakeIn(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return `${page}: ${link} leads nowhere`;
  if (anchor === undefined || !target.endsWith('.md') || anchorsIn(target).includes(anchor)) return undefined;
  return `${page}: ${link}: no such heading in ${target}`;
}

test('every link of the docs leads to a file and a heading that are there', (t) => {
  t.true(pages.length > 15);
  t.deepEqual(
    pages.flatMap((page) => linksIn(page).flatMap((link) => mistakeIn(page, link) ?? [])),
    [],
  );
});

test('every path that CONTRIBUTING names is there', (t) => {
  const named = [...textOf('CONTRIBUTING.md').matchAll(/`([a-z-]+\/[^`<\s]+)`/g)].map(([, path = '']) => path);
  t.true(named.length > 15);
  t.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
});
