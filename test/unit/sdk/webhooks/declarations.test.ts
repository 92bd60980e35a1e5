import test from 'ava';
import { Pod } from '../../../../sdk/index.ts';
import { converter, defaulter, validator, webhookPath } from '../../../../sdk/webhooks/declarations.ts';
import { Site } from './a-site.ts';

test('each webhook has a path by its type and kind', (t) => {
  const all = [validator(Site, () => undefined), defaulter(Pod, () => undefined), converter(Site)];
  t.deepEqual(all.map(webhookPath), ['/validate/sites.example.com', '/default/pods', '/convert/sites.example.com']);
});
