import test from 'ava';
import { ConfigMap, Namespace } from '../../../../../sdk/api/kinds.ts';
import { mistakeInSelection, selectionOf } from '../../../../../sdk/operator/engine/selection.ts';

test('says what no server would understand', (t) => {
  t.is(mistakeInSelection(ConfigMap, { namespace: 'n', labels: 'a=b', fields: 'metadata.name=x' }), undefined);
  t.is(mistakeInSelection(Namespace, { namespace: '' }), undefined);
  t.is(mistakeInSelection(Namespace, { namespace: 'n' }), 'the kind is not namespaced, leave the namespace (n) out');
  t.is(
    mistakeInSelection(ConfigMap, { labelFilters: ['a=b'] } as never),
    'selection.labelFilters is not an option; known are namespace, labels, fields',
  );
});

test('an empty namespace is all of them, an empty selector selects nothing out', (t) => {
  t.deepEqual(selectionOf({ namespace: '', labels: '', fields: 'spec.y=z' }), { fields: 'spec.y=z' });
});
