import test from 'ava';
import { done, type EventSink, requestFor, Workspace } from '../../../../sdk/index.ts';
import { reportUnknownSpecMembers } from '../../../../sequencer/run/report-unknown-spec-members.ts';
import { aWorkspace } from '../../a-workspace.ts';

function scene() {
  const told: string[] = [];
  const events: EventSink = { event: (_about, ...said) => void told.push(said.join(' ')) };
  let walked = 0;
  const walks = reportUnknownSpecMembers(events, { integrations: [], types: {} }, async () => {
    walked += 1;
    return done;
  });
  return { told, walks, walked: () => walked };
}
const shop = (members: object, generation: number, more = {}) => {
  const workspace = aWorkspace({ spec: { integrations: { ...members } } });
  return { ...workspace, metadata: { ...workspace.metadata, generation, ...more } };
};

test('what no integration looks for is reported once for each spec; the workspace is walked all the same', async (t) => {
  const { told, walks, walked } = scene();
  for (const generation of [1, 1, 2]) await walks(requestFor(Workspace, shop({ uptime: {} }, generation)));
  const note = 'Warning NotHandled spec.integrations.uptime: no registered integration reads it';
  t.deepEqual(told, [note, note]);
  t.is(walked(), 3);
});

test('of many, three are reported; of a workspace that is being deleted, or gone, none', async (t) => {
  const { told, walks } = scene();
  await walks(requestFor(Workspace, shop({ a: 1, b: 1, c: 1, d: 1, e: 1 }, 1)));
  t.regex(told[0]!, /integrations\.a: .*; .*integrations\.b: .*; .*integrations\.c: .*; and 2 more$/);
  const { metadata } = shop({}, 1);
  await walks(requestFor(Workspace, { name: metadata.name, namespace: metadata.namespace ?? '' }));
  await walks(requestFor(Workspace, shop({ a: 1 }, 1, { deletionTimestamp: '2026-01-01T00:00:00Z' })));
  t.is(told.length, 1);
});
