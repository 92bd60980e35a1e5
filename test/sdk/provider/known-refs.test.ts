import test from 'ava';
import { refsOf } from '../../../sdk/provider/known-refs.ts';
import { aWorkspace } from '../../a-workspace.ts';

const annotations = { 'external.se.quencer.io/DNS': '[{"id":"mirrored"}]' };
const recorded = { refs: [{ id: 'a' }], late: [{ id: 'b' }] };

test('ids are those recorded and learned late; the mirror’s too where the journal was lost', (t) => {
  t.deepEqual(refsOf(aWorkspace({ guards: { DNS: recorded }, annotations }), 'DNS'), [{ id: 'a' }, { id: 'b' }]);
  t.deepEqual(refsOf(aWorkspace({ annotations }), 'DNS'), [{ id: 'mirrored' }]);
  const lost = aWorkspace({ guards: { DNS: { refs: [{ id: 'a' }], lost: true } }, annotations });
  t.deepEqual(refsOf(lost, 'DNS'), [{ id: 'a' }, { id: 'mirrored' }]);
});
