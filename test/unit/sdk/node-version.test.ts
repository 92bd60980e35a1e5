import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { minimumNode, unsupportedNode } from '../../../sdk/node-version.ts';

const running = (version: string) => ({ version, execPath: '/usr/bin/node' });

test('a Node that is too old is reported, with where it is and which is needed', (t) => {
  t.is(unsupportedNode('22.20', running('v20.20.2')), 'this is Node 20.20.2 (/usr/bin/node); 22.20 or later is needed');
  t.is(typeof unsupportedNode('22.20', running('v22.19.9')), 'string');
});

test('one that is new enough is not', (t) => {
  for (const version of ['v22.20.0', 'v22.21.1', 'v24.0.0', 'v26.1.0-nightly'])
    t.is(unsupportedNode('22.20', running(version)), undefined);
});

test('package.json asks for the same', (t) => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
  t.is(engines.node, `>=${minimumNode}`);
});
