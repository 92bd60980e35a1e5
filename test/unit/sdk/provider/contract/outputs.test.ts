import test from 'ava';
import {
  mistakeInDeclarations,
  mistakeInOutputs,
  reasonWhyUndeclared,
  withoutEndedOutputs,
} from '../../../../../sdk/provider/contract/outputs.ts';
import { aCondition, aWorkspace } from '../../../a-workspace.ts';

const declared = { host: { description: 'its host' }, password: { description: 'its password', secret: true } };

test('declarations are bounded, and each has a name and a description', (t) => {
  t.is(mistakeInDeclarations(declared), undefined);
  t.regex(mistakeInDeclarations({ 'a-b': declared.host }) ?? '', /letter, then letters and digits; found "a-b"/);
  t.regex(mistakeInDeclarations({ host: {} }) ?? '', /\.host must be \{ description, secret\?, each\? \}/);
  t.regex(mistakeInDeclarations({ host: { description: 'x', secret: 'yes' } }) ?? '', /\.host must be/);
  t.regex(mistakeInDeclarations({ host: { description: 'x', each: ['left'] } }) ?? '', /\.host must be/);
  t.regex(mistakeInDeclarations({ 'left/host': declared.host }) ?? '', /letter, then letters and digits/);
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

const ofEach = { host: { description: 'its host', each: () => ['left', 'right'] }, zone: declared.host };

test('where each of several things has one, it is named by the thing', (t) => {
  t.is(mistakeInDeclarations(ofEach), undefined);
  t.is(mistakeInOutputs({ 'left/host': 'a', 'right/host': 'b', zone: 'c' }, ofEach), undefined);
  for (const name of ['host', 'left/zone', 'Left/host', '/host', 'a/left/host', 'left/constructor'])
    t.is(
      mistakeInOutputs({ [name]: 'a' }, ofEach),
      `setOutputs: "${name}" is not declared; declared are OBJECT/host, zone`,
    );
});

test('outputs are bounded in number and in characters, whatever their things are', (t) => {
  const many = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`n${nth}/host`, text]));
  t.is(mistakeInOutputs(many(256, 'a'), ofEach), undefined);
  t.is(mistakeInOutputs(many(257, 'a'), ofEach), 'setOutputs: must be 256 outputs at most; found 257');
  t.regex(
    mistakeInOutputs(many(70, 'a'.repeat(1024)), ofEach) ?? '',
    /^setOutputs: must have 65536 characters of JSON at most; found 72\d{3}$/,
  );
});

test('what is not declared, or of a thing that is not asked for, can never be', (t) => {
  const why = (name: string, all = ofEach) => reasonWhyUndeclared(name, all, aWorkspace());
  t.is(why('left/host'), undefined);
  t.is(why('zone'), undefined);
  t.is(why('host'), 'declares no output host; known are OBJECT/host, zone');
  t.is(why('third/host'), 'has no object third for this workspace; known are left, right');
  t.is(
    why('third/host', { ...ofEach, host: { description: 'its host', each: () => [] } }),
    'has no object third for this workspace; it has none',
  );
});

test('outputs of what is terminated, or has no condition any more, are gone', (t) => {
  const outputs = { DNS: { values: { a: '1' } }, Mail: { values: { b: '2' } } };
  const both = { outputs, conditions: [aCondition('DNS', 'Completed'), aCondition('Mail', 'Error')] };
  t.is(withoutEndedOutputs(both), outputs, 'nothing to do is not a change');
  t.deepEqual(
    withoutEndedOutputs({ ...both, conditions: [aCondition('DNS', 'Completed'), aCondition('Mail', 'Terminated')] }),
    { DNS: outputs.DNS },
  );
  t.is(withoutEndedOutputs({ outputs }), undefined);
  t.is(withoutEndedOutputs({}), undefined);
});
