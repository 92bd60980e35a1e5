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

test('without a thing there are none', (t) => t.deepEqual(outputsOf(declared, place([])), {}));
