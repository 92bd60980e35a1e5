import test from 'ava';
import type { JsonPatchOperation } from '../../../../../sdk/api/patch.ts';
import { redactWorkspacePatch } from '../../../../../sdk/provider/host/redact-workspace-patch.ts';

const patched = (...operations: readonly JsonPatchOperation[]) => {
  const patch = redactWorkspacePatch({ type: 'json', operations }, (text) => text.replaceAll('hunter22', '***'));
  return patch.type === 'json' ? patch.operations : [];
};
const condition = (reason: string) => ({ type: 'DNS', status: 'Error', reason });
const entry = (cause: string) => ({ phase: 'failed', cause, refs: [{ id: 'hunter22', cause: 'hunter22' }] });

for (const [path, value, expected] of [
  [
    '/status',
    { conditions: [condition('hunter22')], guards: { DNS: entry('hunter22') }, phase: 'Error' },
    { conditions: [condition('***')], guards: { DNS: entry('***') }, phase: 'Error' },
  ],
  ['/status/conditions', [condition('hunter22')], [condition('***')]],
  ['/status/conditions/0', condition('hunter22'), condition('***')],
  ['/status/conditions/-', condition('hunter22'), condition('***')],
  ['/status/conditions/0/reason', 'hunter22', '***'],
  ['/status/guards', { DNS: entry('hunter22') }, { DNS: entry('***') }],
  ['/status/guards/DNS', entry('hunter22'), entry('***')],
  ['/status/guards/DNS/cause', 'hunter22', '***'],
] as const)
  test(`what is written at ${path} is redacted but for ids`, (t) => {
    t.deepEqual(patched({ op: 'add', path, value }), [{ op: 'add', path, value: expected }]);
  });

test('what is tested, ids, and everything else stay as they are', (t) => {
  const operations: readonly JsonPatchOperation[] = [
    { op: 'test', path: '/status/conditions/0', value: condition('hunter22') },
    { op: 'add', path: '/status/guards/DNS/refs', value: [{ id: 'hunter22' }] },
    { op: 'replace', path: '/status/host', value: 'hunter22' },
    { op: 'add', path: '/metadata/annotations/external.se.quencer.io~1DNS', value: '[{"id":"hunter22"}]' },
    { op: 'add', path: '/metadata/annotations/outcome.se.quencer.io~1DNS', value: '{"reason":"hunter22"}' },
    { op: 'remove', path: '/status/conditions/0' },
  ];
  t.deepEqual(patched(...operations), operations);
});
