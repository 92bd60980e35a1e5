import test from 'ava';
import { add, type Patch, pointer, remove, test as tested, type WriteOptions } from '../../../../../sdk/index.ts';
import { checkWorkspacePatch } from '../../../../../sdk/provider/controller/check-workspace-patch.ts';

const integration = { type: 'Tunneling', claim: 'se.quencer.io/tunnel' };
const claim = 'se.quencer.io/tunnel';
const mirror = 'external.se.quencer.io/Tunneling';
const annotation = (name: string) => pointer('metadata', 'annotations', name);
const merge = (value: object): Patch => ({ type: 'merge', value });
const apply = (value: object): Patch => ({ type: 'apply', value });
const json = (...operations: Extract<Patch, { type: 'json' }>['operations']): Patch => ({ type: 'json', operations });

const refused: readonly (readonly [what: RegExp, Patch, WriteOptions?])[] = [
  [/finalizers/, merge({ metadata: { finalizers: null } })],
  [/finalizers/, merge({ metadata: null })],
  [/finalizers/, apply({ metadata: { finalizers: [claim] } })],
  [/finalizers/, json(remove('/metadata/finalizers/0'))],
  [/finalizers/, json(add('/metadata', { name: 'shop' }))],
  [/mirror/, merge({ metadata: { annotations: { [mirror]: null } } })],
  [/mirror/, merge({ metadata: { annotations: { 'external-1.se.quencer.io/Tunneling': 'x' } } })],
  [/mirror/, merge({ metadata: { annotations: null } })],
  [/mirror/, json(remove(annotation(mirror)))],
  [/mirror/, json(add('/metadata/annotations', {}))],
  [/status/, merge({ status: { guards: null } }), { subresource: 'status' }],
  [/status/, merge({ status: {} })],
  [/status/, json(remove('/status/guards'))],
  [/status/, json(add('', {}))],
];

for (const [what, patch, options] of refused)
  test(`refused: ${JSON.stringify(patch)}`, (t) => {
    const error = t.throws(() => checkWorkspacePatch(integration, patch, options), { name: 'ContractError' });
    t.regex(error?.message ?? '', what);
    t.regex(error?.message ?? '', /patch must not write, of a workspace/);
  });

const permitted: readonly Patch[] = [
  merge({ metadata: { labels: { team: 'a' }, annotations: { 'acme.example/plan': 'b' } } }),
  merge({ spec: { integrations: { tunnel: null } } }),
  apply({ metadata: { finalizers: ['acme.example/boxes'] }, spec: {} }),
  json(tested('/status/phase', 'Ready'), tested('/metadata/finalizers/0', claim), add('/spec/template', 'x')),
  json(add(annotation('acme.example/plan'), 'b')),
];

for (const patch of permitted)
  test(`permitted: ${JSON.stringify(patch)}`, (t) => {
    t.notThrows(() => checkWorkspacePatch(integration, patch));
  });
