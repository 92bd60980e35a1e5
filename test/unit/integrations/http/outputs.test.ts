import test from 'ava';
import { outputsOf } from '../../../../integrations/http/outputs.ts';
import type { Ref, Workspace } from '../../../../sdk/index.ts';

const declared = { host: { description: 'Name of the host.' }, password: { description: 'Password.', secret: true } };
const place = (refs: readonly Ref[]) => ({
  refs,
  workspace: { metadata: { name: 'shop' } } as Workspace,
  condition: { type: 'Database', status: 'Completed', reason: '', lastTransitionTime: '' } as const,
});

test('texts come from the id, secrets are named by their Secret', (t) => {
  t.deepEqual(outputsOf(declared, place([{ slot: '', id: { id: 'db-1', host: 'db.example' } }])), {
    host: 'db.example',
    password: { secretKeyRef: { name: 'shop-database', key: 'password' } },
  });
});

test('of several things each has its own, of two of a name the first', (t) => {
  const each = () => ['left', 'right'];
  const ofEach = Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, { ...one, each }]));
  const refs = ['left', 'right', 'left', ''].map((slot, nth) => ({ slot, id: { host: `host-${nth}` } }));
  t.deepEqual(outputsOf(ofEach, place(refs)), {
    'left/host': 'host-0',
    'left/password': { secretKeyRef: { name: 'shop-database-left', key: 'password' } },
    'right/host': 'host-1',
    'right/password': { secretKeyRef: { name: 'shop-database-right', key: 'password' } },
  });
  t.deepEqual(outputsOf(declared, place(refs)).host, 'host-3', 'the only thing has no name');
});

test('without a thing there are none', (t) => t.deepEqual(outputsOf(declared, place([])), {}));
