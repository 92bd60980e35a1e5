import test from 'ava';
import { cycles, fullRooms, importerViolations, layerViolations, maxRoomFiles } from './rules.ts';
import { scan } from './source.ts';

const file = (path: string, text: string) => scan({ path, text });

test('an import against the layers is named, types included', (t) => {
  t.deepEqual(layerViolations([file('sdk/api/a.ts', `import type { Client } from '../client/client.ts';`)]), [
    'sdk/api/a.ts: sdk/api may not import sdk/client (sdk/client/client.ts)',
  ]);
  t.deepEqual(layerViolations([file('sdk/client/a.ts', `const a = await import('../operator/queue.ts');`)]), [
    'sdk/client/a.ts: sdk/client may not import sdk/operator (sdk/operator/queue.ts)',
  ]);
  t.deepEqual(layerViolations([file('integrations/memory/a.ts', `import { b } from '../../sequencer/index.ts';`)]), [
    'integrations/memory/a.ts: integrations may not import sequencer (sequencer/index.ts)',
  ]);
});

test('a room imports those below it, and none above', (t) => {
  const text = `import { a } from '../journal/write-mirror.ts'; import { b } from '../contract.ts';`;
  t.deepEqual(layerViolations([file('sdk/provider/guard/a.ts', text)]), []);
  t.deepEqual(layerViolations([file('sdk/provider/host/a.ts', text)]), [
    'sdk/provider/host/a.ts: room host may not import journal (sdk/provider/journal/write-mirror.ts)',
  ]);
  t.deepEqual(layerViolations([file('sdk/provider/guard/a.ts', `import { a } from '../attic/b.ts';`)]), [
    'sdk/provider/guard/a.ts: attic is no room of sdk/provider (sdk/provider/attic/b.ts)',
  ]);
  const late = `import type { A } from '../../server/a.ts'; const b = await import('../../handlers/b.ts');`;
  t.deepEqual(layerViolations([file('test/cluster/apis/apps/a.ts', late)]), [
    'test/cluster/apis/apps/a.ts: room apis may not import handlers (test/cluster/handlers/b.ts)',
  ]);
});

test('a room of more files than a reader takes in at once is named', (t) => {
  const many = Array.from({ length: maxRoomFiles + 1 }, (_, index) => file(`sdk/provider/guard/a${index}.ts`, ''));
  t.deepEqual(fullRooms(many), ['sdk/provider/guard: 21 files, at most 20']);
  t.deepEqual(fullRooms(many.slice(1)), []);
  const lives = many.map((_, index) => file(`test/system/simulation/lives/a${index}.ts`, ''));
  t.deepEqual(fullRooms(lives), ['test/system/simulation/lives: 21 files, at most 20']);
  t.deepEqual(fullRooms(lives.slice(1)), []);
});

test('another top-level folder is entered through its door only', (t) => {
  t.deepEqual(layerViolations([file('sequencer/a.ts', `import { b } from '../sdk/api/object.ts';`)]), [
    'sequencer/a.ts: sequencer may not import sdk/api (sdk/api/object.ts)',
  ]);
  t.deepEqual(layerViolations([file('sequencer/a.ts', `import { b } from '../sdk/errors.ts';`)]), [
    'sequencer/a.ts: sdk/errors.ts is behind a door: import its index.ts',
  ]);
  t.deepEqual(layerViolations([file('sequencer/a.ts', `import { b } from '../sdk/index.ts';`)]), []);
});

test('leaves and lower layers are free to import', (t) => {
  const text = `import { a } from '../errors.ts'; import { b } from '../api/object.ts'; import { c } from './d.ts';`;
  t.deepEqual(layerViolations([file('sdk/client/a.ts', text)]), []);
});

test('a folder of no layer is not imported', (t) => {
  t.deepEqual(layerViolations([file('sdk/api/a.ts', `import { b } from '../../test/clock.ts';`)]), [
    'sdk/api/a.ts: sdk/api may not import test/clock.ts',
  ]);
});

test('integrations of two vendors share nothing but what lies beside their folders', (t) => {
  const text = `import { a } from '../memory/dns.ts';`;
  t.is(layerViolations([file('integrations/rfc2136/dns.ts', text)]).length, 1);
  t.is(layerViolations([file('integrations/memory/tunnel.ts', `import { a } from './dns.ts';`)]).length, 0);
  t.is(layerViolations([file('integrations/memory/dns.ts', `import { a } from '../dns/provider.ts';`)]).length, 0);
});

test('a package is loaded in its place only, lazily or not; its types everywhere', (t) => {
  t.deepEqual(importerViolations([file('sdk/operator/a.ts', `import { Pool } from 'undici';`)]), [
    'sdk/operator/a.ts: undici is loaded only by sdk/client/, test/cluster/, integrations/fetch-with-ca.ts, integrations/caddy/admin.ts',
  ]);
  t.is(importerViolations([file('sequencer/a.ts', `await import('@kubernetes/client-node');`)]).length, 1);
  t.is(importerViolations([file('sdk/a.ts', `import x from 'left-pad/y.js';`)]).length, 1);
  t.is(importerViolations([file('sdk/a.ts', `import type { Logger } from 'pino';`)]).length, 0);
  t.is(importerViolations([file('sdk/client/a.ts', `import { Pool } from 'undici'; import 'node:fs';`)]).length, 0);
});

test('a circle of static imports is found once; types and lazy imports close none', (t) => {
  const a = (text: string) => file('sdk/api/a.ts', text);
  const b = file('sdk/api/b.ts', `export { c } from './c.ts';`);
  const c = file('sdk/api/c.ts', `import './a.ts';`);
  t.deepEqual(cycles([a(`import { b } from './b.ts';`), b, c]), [
    'sdk/api/a.ts -> sdk/api/b.ts -> sdk/api/c.ts -> sdk/api/a.ts',
  ]);
  t.deepEqual(cycles([a(`import type { b } from './b.ts'; import('./b.ts');`), b, c]), []);
});
