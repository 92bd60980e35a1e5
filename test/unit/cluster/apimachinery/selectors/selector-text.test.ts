import test from 'ava';
import { selectorText } from '../../../../cluster/apimachinery/selectors/selector-text.ts';
import { labelsText } from '../../../../cluster/apis/printing/printer.ts';

test('a selector is sorted by its keys, and the values of a requirement by themselves', (t) => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['b', 'a'] },
    { key: 'zone', operator: 'DoesNotExist' },
    { key: 'beta', operator: 'Exists' },
    { key: 'app-x', operator: 'NotIn', values: ['d', 'c'] },
  ];
  const matchLabels = { 'app.kubernetes.io/name': 'web', app: 'web' };
  t.is(
    selectorText({ matchLabels, matchExpressions }),
    'app=web,app-x notin (c,d),app.kubernetes.io/name=web,beta,tier in (a,b),!zone',
  );
  t.is(selectorText({}), '');
});

test('labels are sorted by their whole text, as labels.Set is', (t) => {
  t.is(labelsText({ app: 'web', 'app.kubernetes.io/name': 'web' }), 'app.kubernetes.io/name=web,app=web');
  t.is(labelsText({}), '<none>');
});
