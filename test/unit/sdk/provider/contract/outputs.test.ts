import test from 'ava';
import {
  mistakeInDeclarations,
  mistakeInOutputs,
  withoutEndedOutputs,
} from '../../../../../sdk/provider/contract/outputs.ts';
import { aCondition } from '../../../a-workspace.ts';

const declared = { host: { description: 'its host' }, password: { description: 'its password', secret: true } };

test('declarations are bounded, and each has a name and a description', (t) => {
  t.is(mistakeInDeclarations(declared), undefined);
  t.regex(mistakeInDeclarations({ 'a-b': declared.host }) ?? '', /letter, then letters and digits; found "a-b"/);
  t.regex(mistakeInDeclarations({ host: {} }) ?? '', /\.host must be \{ description, secret\? \}/);
  t.regex(mistakeInDeclarations({ host: { description: 'x', secret: 'yes' } }) ?? '', /\.host must be/);
  t.regex(mistakeInDeclarations([]) ?? '', /must be an object/);
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, declared.host]));
  t.is(mistakeInDeclarations(many), 'must be 32 at most; found 33');
});

test('what is not declared, or of another form, is named without its value', (t) => {
  const where = { secretKeyRef: { name: 'shop-db', key: 'password' } };
  t.is(mistakeInOutputs({ host: 'h', password: where }, declared), undefined);
  t.is(mistakeInOutputs({ host: undefined }, declared), undefined);
  t.is(mistakeInOutputs({ port: '1' }, declared), 'setOutputs: "port" is not declared; declared are host, password');
  t.is(mistakeInOutputs({ port: '1' }), 'setOutputs: "port" is not declared; no output is');
  t.regex(mistakeInOutputs({ constructor: 'x' }, declared) ?? '', /is not declared/);
  t.regex(
    mistakeInOutputs({ host: 'h'.repeat(1025) }, declared) ?? '',
    /host must be a text of 1 to 1024.*text of 1025/,
  );
  t.regex(mistakeInOutputs({ host: where }, declared) ?? '', /host must be a text/);
  const told = mistakeInOutputs({ password: 's3cret' }, declared) ?? '';
  t.regex(told, /password must be \{ secretKeyRef: \{ name, key \} \}; found a text of 6 characters/);
  t.notRegex(told, /s3cret/);
  t.regex(mistakeInOutputs(7, declared) ?? '', /must be an object/);
});

test('outputs of what is terminated, or has no condition any more, are gone', (t) => {
  const outputs = { DNS: { values: { a: '1' } }, Mail: { values: { b: '2' } } };
  const both = { outputs, conditions: [aCondition('DNS', 'Completed'), aCondition('Mail', 'Error')] };
  t.is(withoutEndedOutputs(both), outputs, 'nothing to do is no change');
  t.deepEqual(
    withoutEndedOutputs({ ...both, conditions: [aCondition('DNS', 'Completed'), aCondition('Mail', 'Terminated')] }),
    { DNS: outputs.DNS },
  );
  t.is(withoutEndedOutputs({ outputs }), undefined);
  t.is(withoutEndedOutputs({}), undefined);
});
