import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../../..');
const { dependencies, peerDependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
const sections = new Map(page.split('\n## ').map((text) => [text.slice(0, text.indexOf('\n')), text.split('\n')]));
const namedIn = (...names: readonly string[]): readonly string[] =>
  names
    .flatMap((section) => sections.get(section) ?? [])
    .flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.[1]?.split(', ') ?? [])
    .filter((name) => name !== 'package');
const named = namedIn('At run time', 'Libraries of vendors', 'For development');

test('every dependency has a line that says why it is here', (t) => {
  const all = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });
  t.deepEqual(
    all.filter((name) => !named.includes(name)),
    [],
  );
});

test('every package that has a line is installed', (t) => {
  t.deepEqual(
    named.filter((name) => !existsSync(join(root, 'node_modules', name))),
    [],
  );
});

test('every dependency of the site has a line, and no other package', (t) => {
  const site = JSON.parse(readFileSync(join(root, 'site/package.json'), 'utf8'));
  t.deepEqual([...namedIn('For the site')].sort(), Object.keys(site.devDependencies).sort());
});

test('what is written here though a library exists is where the page says', (t) => {
  const text = (sections.get('Written here though a library exists') ?? []).join('\n');
  const places = [...text.matchAll(/`([^`]+\/[^`]+)`/g)].map(([, place = '']) => place);
  t.true(places.length > 10);
  t.deepEqual(
    places.filter((place) => globSync(place, { cwd: root }).length === 0),
    [],
  );
});
