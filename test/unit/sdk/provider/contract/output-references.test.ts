import test from 'ava';
import {
  outputOf,
  outputReferences,
  parseOutputReference,
  withOutputs,
} from '../../../../../sdk/provider/contract/output-references.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const outputs = {
  Database: {
    values: { host: 'db.example', port: '5432' },
    secrets: { password: { name: 'shop-db', key: 'password' } },
  },
  'acme.com/Bucket': { values: { url: 's3://${outputs::Database.host}' } },
};
const workspace = aWorkspace({ status: { outputs } });

test('references are found in all texts of a value, each once; malformed ones as they are written', (t) => {
  const value = {
    a: ['${outputs::Database.host}:${outputs::Database.port}', { b: 'x${outputs::Database.host}' }, 7, null],
    c: '${outputs::acme.com/Bucket.url} ${OTHER} ${outputs::}',
    d: '${outputs::Database.host',
    e: '${outputs::Database.a-b}',
    '${outputs::Not.this}': true,
  };
  t.deepEqual(outputReferences(value).toSorted(), [
    '${outputs::Database.a-b}',
    '${outputs::Database.host',
    '${outputs::}',
    'Database.host',
    'Database.port',
    'acme.com/Bucket.url',
  ]);
});

test('a reference is a condition and a name, apart at the last dot', (t) => {
  t.deepEqual(parseOutputReference('acme.com/Bucket.url'), { condition: 'acme.com/Bucket', output: 'url' });
  t.deepEqual(parseOutputReference('acme.com/Box.left/url'), { condition: 'acme.com/Box', output: 'left/url' });
  for (const text of [
    '',
    'Database',
    'Box.Left/url',
    'Box./url',
    'Box.a/b/url',
    '.host',
    'Database.',
    'a b.host',
    '${x}.host',
    `${'a'.repeat(317)}.host`,
  ])
    t.is(parseOutputReference(text), undefined, text);
});

test('an output is a text, or says where a secret is; what is inherited is none', (t) => {
  t.is(outputOf(workspace, 'Database.host'), 'db.example');
  t.deepEqual(outputOf(workspace, 'Database.password'), { secretKeyRef: { name: 'shop-db', key: 'password' } });
  for (const text of ['Database.user', 'Mail.host', 'Database.constructor', 'constructor.name', 'nothing'])
    t.is(outputOf(workspace, text), undefined, text);
});

test('an output of one among several things is named by it', (t) => {
  const boxes = aWorkspace({ status: { outputs: { Box: { values: { 'left/host': 'l', 'right/host': 'r' } } } } });
  t.is(withOutputs(boxes, '${outputs::Box.left/host} ${outputs::Box.right/host}'), 'l r');
  t.throws(() => withOutputs(boxes, '${outputs::Box.host}'), { message: '${outputs::Box.host} is not there yet' });
});

test('references in a value are replaced once, and what is put in is not looked at again', (t) => {
  const value = {
    url: 'pg://${outputs::Database.host}:${outputs::Database.port}',
    bucket: ['${outputs::acme.com/Bucket.url}'],
    n: 1,
  };
  t.deepEqual(withOutputs(workspace, value), {
    url: 'pg://db.example:5432',
    bucket: ['s3://${outputs::Database.host}'],
    n: 1,
  });
  t.deepEqual(withOutputs<unknown>(workspace, ['${outputs::Database.password}']), [
    { name: 'shop-db', key: 'password' },
  ]);
});

test('what is not there, unclosed, or a secret amid a text is an error that names it', (t) => {
  t.throws(() => withOutputs(workspace, '${outputs::Mail.host}'), {
    message: '${outputs::Mail.host} is not there yet',
  });
  t.throws(() => withOutputs(workspace, 'x ${outputs::Database.host'), { message: /is not there yet/ });
  t.throws(() => withOutputs(workspace, 'x ${outputs::Database.password}'), { message: /is a key of a Secret/ });
});
