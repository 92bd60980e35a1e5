import test from 'ava';
import { wrongField } from '../../../integrations/wrong-field.ts';

test('a mistake has the field that its reason begins with, or else the one given', (t) => {
  t.deepEqual(wrongField('spec.a[0].b: is wrong', 'spec'), { field: 'spec.a[0].b', message: 'spec.a[0].b: is wrong' });
  t.deepEqual(wrongField('x.example.com: is wrong', 'spec.rules'), {
    field: 'spec.rules',
    message: 'x.example.com: is wrong',
  });
  t.is(wrongField('spec.a b: is wrong', 'spec').field, 'spec');
});
