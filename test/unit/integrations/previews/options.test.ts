import test from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { previews } from '../../../../integrations/previews/index.ts';
import { checkedPreviewOptions, type PreviewOptions } from '../../../../integrations/previews/options.ts';
import { account } from './a-preview-world.ts';

const host = gitHub({ token: account.token });
const options: PreviewOptions = { host, repositories: ['Acme/Shop'], template: { spec: {} } };

test('defaults are set, and repositories compared without case', (t) => {
  t.like(checkedPreviewOptions(options), {
    repositories: ['acme/shop'],
    limit: 20,
    interval: 300_000,
    ttl: undefined,
    forkLabel: 'preview',
  });
});

for (const [more, message] of [
  [{ host: 'github.com' }, /previews: host must be a code host/],
  [{ repositories: [] }, /repositories must be a list of 1 to 100 repositories, not \[\]/],
  [{ repositories: ['shop'] }, /repositories\[0\] must be owner\/name, not "shop"/],
  [{ repositories: ['a/b', 'A/B'] }, /repositories must be different from each other/],
  [
    { template: { spec: { integrations: { x: '${pr::x}' } } } },
    /template: spec.integrations.x: \$\{pr::x\} is not a reference/,
  ],
  [{ webhook: { port: 70_000 } }, /webhook.port must be a whole number from 0 to 65535/],
  [{ webhook: { port: 1, path: 'x y' } }, /webhook.path must be a path/],
  [{ interval: 1 }, /interval must be a whole number from 10000/],
  [{ ttl: '1h' }, /ttl must be a whole number/],
  [{ limit: -1 }, /limit must be/],
  [{ forkLabel: ' ' }, /forkLabel must be a text/],
  [{ ttls: 1 }, /ttls/],
] as const)
  test(`a mistake is reported where it is made: ${message.source.slice(0, 50)}`, (t) => {
    t.throws(() => previews({ ...options, ...(more as object) }), { name: 'TypeError', message });
  });
