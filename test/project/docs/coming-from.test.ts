import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { blocksOf } from './examples/blocks.ts';

const root = join(import.meta.dirname, '../../..');

/** Language in which the operator of the other framework is written. */
const languages: Readonly<Record<string, string>> = {
  'docs/coming-from/controller-runtime.md': 'go',
  'docs/coming-from/crossplane.md': 'go',
  'docs/coming-from/java-operator-sdk.md': 'java',
  'docs/coming-from/kopf.md': 'python',
  'docs/coming-from/kube-rs.md': 'rust',
  'docs/coming-from/pepr.md': 'typescript',
  'docs/models/sequencer-sdk.md': 'go',
};

test('each framework that people come from has a page', (t) => {
  const pages = globSync('docs/coming-from/*.md', { cwd: root });
  t.deepEqual([...pages, 'docs/models/sequencer-sdk.md'].sort(), Object.keys(languages));
});

for (const [page, language] of Object.entries(languages))
  test(`${page} has names, the same operator in both, and honest limits`, (t) => {
    const text = readFileSync(join(root, page), 'utf8');
    const [head = '', ...sections] = text.split(/^## /m);
    t.true(head.split('\n').filter((line) => line.startsWith('| ')).length > 10, 'a table of names');
    const same = sections.find((section) => section.startsWith('The same operator\n')) ?? '';
    const [theirs, ours, prints] = blocksOf(same);
    t.is(theirs?.language, language);
    t.is(ours?.language, 'ts');
    t.true(ours?.words.includes('run'), 'ours is run by a test');
    t.is(prints?.language, 'text');
    const limits = sections.find((section) => section.startsWith('Honest limits\n')) ?? '';
    t.true(limits.split('\n').filter((line) => line.startsWith('* ')).length > 4, 'limits');
  });
