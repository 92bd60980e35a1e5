import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { canonicalJson, digest } from '../../../sdk/api/digest.ts';
import { copyOf, isSameJson } from '../../../sdk/api/json.ts';
import { changesOf, pointer } from '../../../sdk/api/patch.ts';
import { deepFreeze } from '../../../sdk/client/http/decode-object.ts';
import { effectivePolicyOf, parseRefs, resolutionOf, statusPatch } from '../../../sdk/host/index.ts';
import {
  allConditions,
  conditionOf,
  findCondition,
  policyAnnotation,
  redact,
  redactedJson,
  removeCondition,
  resolveAnnotation,
  SecretRegistry,
  setCondition,
  type Workspace,
} from '../../../sdk/index.ts';
import { redactWorkspacePatch } from '../../../sdk/provider/host/redact-workspace-patch.ts';
import { alteredPath } from '../../../sdk/provider/host/verify-writes.ts';
import { assignSlots, externalObjectsOf } from '../../../sdk/provider/journal/external-objects.ts';
import { mirrorAnnotation } from '../../../sdk/provider/journal/mirror-encoding.ts';
import { nextChange, wantedObjects } from '../../../sdk/provider/journal/next-object-change.ts';
import { readMirror } from '../../../sdk/provider/journal/read-mirror.ts';
import { sameRefs, unionOf } from '../../../sdk/provider/journal/ref-sets.ts';
import { parseResolution } from '../../../sdk/provider/journal/resolution.ts';
import { threeWayMerge } from '../../../sdk/reconcile/three-way.ts';
import { nextMoves } from '../../../sequencer/engine/plan/plan.ts';
import { phaseOf, readyOf, summaryOf } from '../../../sequencer/engine/summarize-conditions.ts';
import { aSeal, sealedMirror } from '../a-seal.ts';
import { anEntry, aWorkspace } from '../a-workspace.ts';
import { excessiveGrowth, items, repeated, workOn } from '../growth.ts';

const linear = async <T>(t: ExecutionContext, make: (size: number) => T, work: (input: T) => unknown) =>
  t.is(await excessiveGrowth(workOn(make, work)), undefined);
const annotated = (annotations: Readonly<Record<string, string>>): Workspace =>
  aWorkspace({ annotations, guards: { DNS: anEntry({ phase: 'unknown' }) } });

const secrets = new SecretRegistry();
secrets.add('aaaaaaaaaaaaaaaaaaaaaaaa', '://a://a', 'token=token=', 'authorization');

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  redact,
  'SecretRegistry.redact': (text) => secrets.redact(text),
  'SecretRegistry.isIn': (text) => secrets.isIn(text),
  parseRefs,
  parseResolution: (text) =>
    parseResolution(`adopt@1=${text}`) ?? parseResolution(`retry@${text}`) ?? parseResolution(text),
  resolutionOf: (text) => resolutionOf(annotated({ [resolveAnnotation('DNS')]: text }), 'DNS'),
  readMirror: (text) => readMirror(aSeal, annotated({ [mirrorAnnotation('DNS')]: text }), 'DNS'),
  'readMirror, as signed': (text) =>
    readMirror(aSeal, annotated({ [mirrorAnnotation('DNS')]: JSON.stringify({ text, seal: text }) }), 'DNS'),
  ruleOf: (text) =>
    effectivePolicyOf(annotated({ [policyAnnotation()]: text, [policyAnnotation('DNS')]: text }), { condition: 'DNS' }),
  pointer: (text) => pointer('status', text),
  digest,
  canonicalJson,
};

/** Parts of pathological texts: prefixes of everything that a parser looks for. */
const pieces = [
  '://',
  '@',
  '?',
  '&',
  '=',
  'authorization',
  ':',
  ' ',
  'bearer ',
  'cookie:a;',
  '-----BEGIN A PRIVATE KEY-----',
  'token',
  '"',
  '\\',
  '"a":"',
  'a',
  'retry@',
  'adopt@1=',
  '1',
  '[',
  '{"a":',
  '/',
  '~',
  '*',
  '.',
  '\n',
];

for (const [name, read] of Object.entries(readers))
  test(`${name} takes time in proportion to its text, whatever is in it`, async (t) => {
    const patterns = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''));
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        await linear(t, (size) => repeated(pattern, size), read);
      }),
      { numRuns: 5 },
    );
  });

for (const start of [
  'authorization',
  'authorization:',
  'authorization: bearer ',
  'authorization: a="b", c=',
  'cookie: a;',
  'bearer ',
  'https://',
  '?a',
  'token',
  '"token":"',
  'adopt@',
  'retry@1',
])
  test(`a long tail after ${start} is read in proportion to its length`, async (t) => {
    for (const tail of [' ', 'a', '\\', '=', '[', 'a.', '1', '@', '"'])
      for (const read of [redact, parseResolution]) await linear(t, (size) => `${start}${repeated(tail, size)}`, read);
  });

const thing = (index: number, slot = `s${index}`) => ({ slot, id: { id: `box-${index}` }, hash: 'x' });

for (const [what, make] of [
  ['with a slot each', (size: number) => items(size, 50, (index) => thing(index))],
  ['that all bear one slot', (size: number) => items(size, 50, (index) => thing(index, 's'))],
  ['that are all the same', (size: number) => items(size, 50, () => thing(1))],
  ['that a person has named', (size: number) => items(size, 50, (index) => ({ id: `box-${index}` }))],
] as const)
  test(`ids ${what} are compared in proportion to their number`, async (t) => {
    await linear(t, make as (size: number) => readonly object[], (refs) => {
      const ids = refs as Parameters<typeof externalObjectsOf>[0];
      const things = externalObjectsOf(ids);
      const wanted = wantedObjects(
        ids.map((_, index) => ({ name: `s${index}` })),
        ({ name }) => name,
      );
      unionOf(ids, ids);
      assignSlots(ids, { wanted, isSingleton: false, canUpdate: false, hasUniqueNames: true });
      nextChange(wanted, things, false);
      nextChange(wanted, things, true);
      sameRefs(ids, unionOf(ids, []));
      readMirror(
        aSeal,
        annotated({ [mirrorAnnotation('DNS')]: sealedMirror(annotated({}), 'DNS', { refs: ids }) }),
        'DNS',
      );
    });
  });

const condition = (type: string) =>
  ({ type, status: 'Completed', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }) as const;
const integrations = ['DNS', 'Components'].map((type) => ({
  name: type.toLowerCase(),
  condition: type,
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
}));

test('conditions, annotations and journal entries are read in proportion to their number', async (t) => {
  const make = (size: number) =>
    aWorkspace({
      annotations: Object.fromEntries(items(size, 40, (index) => [`a${index}`, 'x'])),
      finalizers: items(size, 40, (index) => `example.test/${index}`),
      status: {
        conditions: items(size, 80, (index) => condition(`C${index}`)),
        guards: Object.fromEntries(items(size, 100, (index) => [`C${index}`, anEntry()])),
      },
    });
  await linear(t, make, (workspace) => {
    const { conditions } = workspace.status ?? {};
    setCondition(conditions, { type: 'New', status: 'Completed', reason: 'x' }, 0);
    removeCondition(conditions, 'C1');
    findCondition(conditions, 'none');
    conditionOf(workspace, 'none');
    allConditions(conditions, ['Completed'], ['DNS', 'Components']);
    phaseOf(workspace, integrations);
    readyOf(workspace, integrations);
    summaryOf(workspace, integrations, { confirmed: new Set(['C1']), now: 0 });
    nextMoves(workspace, integrations);
    const operations = statusPatch(workspace, (status) => {
      status.host = 'x';
    });
    redactWorkspacePatch(
      { type: 'json', operations: [...operations, { op: 'add', path: '/status', value: workspace.status }] },
      redact,
    );
    if (conditions !== undefined)
      alteredPath(workspace, [{ op: 'add', path: '/status/conditions', value: conditions }]);
  });
});

test('JSON is compared, copied, frozen and patched in proportion to its size', async (t) => {
  const make = (size: number) => items(size, 40, (index) => ({ name: `n${index}`, value: [index] }));
  await linear(t, make, (list) => {
    const object = { metadata: { name: 'x' }, list };
    const copy = copyOf(object);
    isSameJson(object, copy);
    canonicalJson(object);
    redactedJson(object, redact);
    deepFreeze(copy);
    changesOf(copy as never, (draft: { list: object[] }) => void draft.list.push({}));
    threeWayMerge(undefined, { list }, { list: list.toReversed() });
  });
});
