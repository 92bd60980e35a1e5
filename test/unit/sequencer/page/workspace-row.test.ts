import test from 'ava';
import { rowOf } from '../../../../sequencer/page/workspace-row.ts';
import { aWorkspace } from '../../a-workspace.ts';

const asIs = (text: string): string => text;

test('a row tells the reason of what failed before that of Ready', (t) => {
  const failed = aWorkspace({
    conditions: { Ready: 'False', Disk: 'Completed', DNS: 'Error' },
    status: { phase: 'Error' },
  });
  const row = rowOf(failed, (text) => `<${text}>`);
  t.is(row.key, 'default/shop');
  t.is(row.reason, '<Error>');
  t.deepEqual(row.conditions[2], { type: 'DNS', status: 'Error' });
  t.is(rowOf(aWorkspace({ conditions: { Ready: 'False' } }), asIs).reason, 'False');
});

test('a reason that says no more than the phase is left out, and what is new has a phase nevertheless', (t) => {
  const healthy = aWorkspace({
    status: {
      phase: 'Healthy',
      conditions: [{ type: 'Ready', status: 'True', reason: 'Healthy', lastTransitionTime: '' }],
    },
  });
  t.is(rowOf(healthy, asIs).reason, '');
  const fresh = rowOf(aWorkspace({ deleting: true }), asIs);
  t.deepEqual([fresh.phase, fresh.deleting, fresh.conditions], ['New', true, []]);
});

test('a secret that lies across the end of the shown text is redacted before the text is cut', (t) => {
  const reason = `${'x'.repeat(195)}hunter2`;
  const failed = aWorkspace({
    status: { conditions: [{ type: 'DNS', status: 'Error', reason, lastTransitionTime: '' }] },
  });
  t.is(rowOf(failed, (text) => text.replaceAll('hunter2', '***')).reason, `${'x'.repeat(195)}***`);
});
