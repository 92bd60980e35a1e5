import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { yamlOf } from '../../../../../sequencer/cli/manifests/manifest.ts';

test('objects become documents, without aliases or broken lines', async (t) => {
  const shared = { text: `${'long '.repeat(60)}line`, yes: 'no' };
  const text = await yamlOf([{ one: shared, two: shared }, { three: 3 }]);
  t.notRegex(text, /[&*]a1/);
  t.deepEqual(
    parseAllDocuments(text).map((document) => document.toJS() as unknown),
    [{ one: shared, two: shared }, { three: 3 }],
  );
});
