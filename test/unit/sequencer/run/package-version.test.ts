import { readFileSync } from 'node:fs';
import test from 'ava';
import { packageVersion } from '../../../../sequencer/run/package-version.ts';

test('the version is the one of package.json', (t) => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  t.is(packageVersion(), (JSON.parse(text) as { readonly version: string }).version);
});
