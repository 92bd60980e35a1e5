import test from 'ava';
import {
  claimByDns,
  nameServersOf,
  publishedTexts,
  withChallenges,
} from '../../../../integrations/acme/challenge-records.ts';
import { aWorkspace, type WorkspaceFixture } from '../../a-workspace.ts';

const challenge = (name: string, text: string) => ({
  url: 'https://ca.example.test/1',
  name: `_acme-challenge.${name}`,
  text,
});
const other = { recordType: 'TXT', name: 'shop', target: 'v=spf1 -all' };

test('records of challenges take the place of those of former ones, and no other entry is touched', (t) => {
  const first = withChallenges([other], [challenge('a', '1'), challenge('a', '2')])!;
  t.deepEqual(first, [
    other,
    { recordType: 'TXT', name: '_acme-challenge.a', target: '1' },
    { recordType: 'TXT', name: '_acme-challenge.a', target: '2' },
  ]);
  t.is(withChallenges(first, [challenge('a', '1'), challenge('a', '2')]), undefined);
  t.deepEqual(withChallenges(first, [challenge('a', '3')])!.length, 2);
  t.deepEqual(withChallenges(first, []), [other]);
  t.is(withChallenges([other], []), undefined);
});

const claim = (more: Partial<WorkspaceFixture>, names = ['shop.example.test']) =>
  claimByDns(
    aWorkspace({
      spec: {
        networking: {
          dns: { zone: 'example.test' },
          ingress: { className: 'nginx', rules: [{ name: 'web', path: '/', component: 'web', network: 'http' }] },
        },
      },
      ...more,
    }),
    names,
  );

test('a name is the workspace’s once DNS has published it for this spec', (t) => {
  t.is(claim({ conditions: { DNS: 'Completed' } }), undefined);
  t.deepEqual(claim({}), {
    status: 'Waiting',
    reason: 'no DNS integration is registered that publishes shop.example.test',
  });
  for (const status of ['Error', 'Locked', 'Waiting'] as const)
    t.is(claim({ conditions: { DNS: status } })?.reason, 'waiting until DNS has published shop.example.test');
  const stale = aWorkspace({ conditions: { DNS: 'Completed' } }).status!;
  t.is(claim({ generation: 2, status: stale })?.status, 'Waiting');
});

test('a name that the workspace does not publish is refused, also where it has a TXT record there', (t) => {
  const dns = [
    { recordType: 'TXT', name: 'other', target: 'x' },
    { recordType: 'A', name: 'mine', target: '192.0.2.7' },
  ];
  const more = { conditions: { DNS: 'Completed' }, status: { dns } } as const;
  t.is(claim(more, ['mine.example.test']), undefined);
  t.like(claim(more, ['other.example.test']), { status: 'Error' });
  t.regex(
    claim(more, ['shop.example.test', '*.shop.example.test'])!.reason,
    /^\*\.shop\.example\.test is not published by this workspace/,
  );
});

test('the name servers of the nearest zone are asked', async (t) => {
  const missing = Object.assign(new Error('none'), { code: 'ENODATA' });
  const asked: string[] = [];
  const resolver = {
    async resolveNs(zone: string) {
      asked.push(zone);
      if (zone !== 'example.test') throw missing;
      return ['ns1.example.test', 'ns2.example.test', 'ns6.example.test'];
    },
    async resolve4(name: string) {
      if (name.startsWith('ns6')) throw missing;
      return [name.startsWith('ns1') ? '192.0.2.1' : '192.0.2.2'];
    },
  } as unknown as Parameters<typeof nameServersOf>[1];
  t.deepEqual(await nameServersOf('_acme-challenge.shop.example.test', resolver), ['192.0.2.1', '192.0.2.2']);
  t.deepEqual(asked, ['_acme-challenge.shop.example.test', 'shop.example.test', 'example.test']);
  await t.throwsAsync(nameServersOf('shop.example.org', resolver), {
    message: 'no name server is known for shop.example.org: set option nameServers',
  });
});

test('a question that is given up ends', async (t) => {
  const giving = new AbortController();
  const asking = publishedTexts(['127.0.0.1:9'], 'shop.example.test', giving.signal);
  giving.abort();
  await t.throwsAsync(asking);
});
