import test from 'ava';
import { olderThan } from '../../../../../sequencer/cli/process/node-version.ts';

const running = (version: string) => ({ version, execPath: '/usr/bin/node' });

test('a Node that is too old is told, with where it is and which is needed', (t) => {
  t.deepEqual(olderThan('>=22.20', running('v20.20.2')), [
    'error E#2005: this is Node 20.20.2 (/usr/bin/node); 22.20 or later is needed',
    '  https://nodejs.org has it; `npm install -D node@24` brings one for a project, `npx -p node@24 -p workspace-sequencer sequencer …` for one command',
  ]);
  t.is(olderThan('>=22.20', running('v22.19.9')).length, 2);
});

test('one that is new enough is not', (t) => {
  for (const version of ['v22.20.0', 'v22.21.1', 'v24.0.0', 'v26.1.0-nightly'])
    t.deepEqual(olderThan('>=22.20', running(version)), []);
});
