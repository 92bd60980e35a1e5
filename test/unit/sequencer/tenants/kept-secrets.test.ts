import test from 'ava';
import type { Secret } from '../../../../sdk/index.ts';
import { keepingSecrets } from '../../../../sequencer/tenants/kept-secrets.ts';
import { aConfig, aSecret } from './fixtures/a-config.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';
const [config, ending] = [aConfig(), aConfig({}, { deletionTimestamp })];

function scene() {
  const there = new Map<string, Secret>();
  return { there, secretOf: keepingSecrets((_, name) => there.get(name)) };
}

test('a config that is being deleted keeps the last of its Secrets that was there, by name', (t) => {
  const { there, secretOf } = scene();
  const [first, second] = [aSecret({ token: 'first' }), aSecret({ token: 'second' })];
  for (const one of [first, second]) {
    there.set('dns', one);
    t.is(secretOf(config, 'dns'), one);
  }
  there.clear();
  t.is(secretOf(ending, 'dns'), second);
  t.is(secretOf(ending, 'other'), undefined);
  const third = aSecret({ token: 'third' });
  there.set('dns', third);
  t.is(secretOf(ending, 'dns'), third, 'one that is there again counts');
});

test('a config that stays has no Secret that is gone, and none has that of another of its name', (t) => {
  const { there, secretOf } = scene();
  there.set('dns', aSecret({ token: 'first' }));
  t.truthy(secretOf(config, 'dns'));
  there.clear();
  t.is(secretOf(config, 'dns'), undefined);
  t.is(secretOf(aConfig({}, { uid: 'uid-of-another', deletionTimestamp }), 'dns'), undefined);
});

test('of ten thousand configs the Secrets are kept, those read last', (t) => {
  const { there, secretOf } = scene();
  there.set('dns', aSecret({ token: 'first' }));
  for (let index = 0; index <= 10_000; index += 1) secretOf(aConfig({}, { uid: `uid-${index}` }), 'dns');
  there.clear();
  t.is(secretOf(aConfig({}, { uid: 'uid-0', deletionTimestamp }), 'dns'), undefined);
  t.truthy(secretOf(aConfig({}, { uid: 'uid-1', deletionTimestamp }), 'dns'));
});
