import test from 'ava';
import { claimByRoutes, withRoutes } from '../../../../integrations/acme/http-proof.ts';
import { Pod, Service, Workspace } from '../../../../sdk/index.ts';
import { aWorkspace, type WorkspaceFixture } from '../../a-workspace.ts';
import { rule } from '../fixtures/an-ingress-spec.ts';
import { aCertificate } from './fixtures/a-certificate.ts';
import { respondersOf } from './fixtures/subject.ts';

const challenge = (name: string, token: string) => ({ url: 'https://ca.example.test/1', name, text: `${token}.thumb` });
const other = { host: 'shop.example.test', path: '/metrics', service: 'monitor', port: 80 };
const networking = {
  dns: { zone: 'example.test' },
  ingress: { className: 'nginx', rules: [rule('web'), rule('web', { name: 'api', subdomain: 'api' })] },
};

test('routes of challenges take the place of those of former ones, and no other entry is touched', (t) => {
  const wanted = (token: string) => ({
    ...{ host: 'a.example.test', path: `/.well-known/acme-challenge/${token}`, service: 'responder', port: 8_089 },
  });
  const first = withRoutes([other], [challenge('a.example.test', '1')], 'responder')!;
  t.deepEqual(first, [other, wanted('1')]);
  t.is(withRoutes(first, [challenge('a.example.test', '1')], 'responder'), undefined);
  t.deepEqual(withRoutes(first, [challenge('a.example.test', '2')], 'responder'), [other, wanted('2')]);
  t.deepEqual(withRoutes(first, [], 'none'), [other]);
  t.is(withRoutes([other], [], 'none'), undefined);
});

const claim = (more: Partial<WorkspaceFixture>, names = ['shop.example.test']) =>
  claimByRoutes(aWorkspace({ spec: { networking }, ...more }), names);

test('a name is the workspace’s once its rule is routed, and where there is DNS, published', (t) => {
  t.is(claim({ conditions: { Ingress: 'Completed' } }), undefined);
  t.is(claim({ conditions: { Tunneling: 'Completed' } }, ['api.example.test']), undefined);
  t.is(claim({})?.reason, 'no Ingress integration is registered that routes shop.example.test');
  for (const status of ['Error', 'Locked', 'In Progress'] as const)
    t.is(claim({ conditions: { Ingress: status } })?.reason, 'waiting until Ingress has routed shop.example.test');
  const stale = aWorkspace({ conditions: { Ingress: 'Completed' } }).status!;
  t.is(claim({ generation: 2, status: stale })?.status, 'Waiting');
  t.is(claim({ conditions: { Ingress: 'Completed', DNS: 'Error' } })?.status, 'Waiting');
  t.is(claim({ conditions: { Ingress: 'Completed', DNS: 'Completed' } }), undefined);
});

test('a name without an ingress rule is refused, also where status.dns has it', (t) => {
  const dns = [{ recordType: 'A', name: 'mine', target: '192.0.2.7' }];
  const more = { conditions: { Ingress: 'Completed' }, status: { dns } } as const;
  for (const name of ['mine.example.test', 'x.shop.example.test', 'example.test'])
    t.regex(claim(more, ['shop.example.test', name])!.reason, new RegExp(`^${name} is not a host of this workspace’s`));
});

test('a certificate is proved by routes to a responder, of which nothing is left', async (t) => {
  const { client, walk, said, read, server } = await aCertificate({ isByHttp: true, names: ['shop', 'api'] });
  await walk();
  t.regex(await said(), /^Completed: certificate of shop.example.test, api.example.test until/);
  t.is((await read()).status?.routes, undefined);
  t.deepEqual(await respondersOf(client), []);
  t.is(server.valid().length, 1);
});

test('an entry of others at such a path is removed, and their Service left alone', async (t) => {
  const { client, key, walk, read } = await aCertificate({ isByHttp: true });
  await client.create(Service, { metadata: key('theirs'), spec: { ports: [{ port: 80 }] } });
  const routes = [{ ...other, path: '/.well-known/acme-challenge/x', service: 'theirs' }];
  await client.patch(
    Workspace,
    key('shop'),
    { type: 'merge', value: { status: { routes } } },
    { subresource: 'status' },
  );
  await walk();
  t.is((await read()).status?.routes, undefined);
  t.is((await client.get(Service, key('theirs'))).metadata.name, 'theirs');
});

test('a wildcard, and a name that the option does not allow, are refused before anything is ordered', async (t) => {
  for (const [names, words] of [
    [['*.shop'], 'Error: *.shop.example.test cannot be proved by http-01: a wildcard takes challenge dns-01'],
    [['shop'], undefined],
  ] as const) {
    const { walk, said, server } = await aCertificate({
      ...{ isByHttp: true, names },
      ...(words === undefined && { options: { names: ['apps.test'] } }),
    });
    await walk();
    t.is(
      await said(),
      words ?? 'Error: shop.example.test: only names within apps.test are allowed (option names of acmeCertificate)',
    );
    t.is(server.orders.size, 0);
  }
});

test('while a route does not lead to the responder, the authority is not asked, and the condition says what is there', async (t) => {
  const answers = { text: 'something of the shop' as string | Error };
  const read = async () => {
    if (answers.text instanceof Error) throw answers.text;
    return answers.text;
  };
  const {
    client,
    walk,
    said,
    requests,
    read: workspace,
    delete: remove,
  } = await aCertificate({
    isByHttp: true,
    options: { routes: { claimOf: () => undefined, read } },
  });
  await walk();
  const words = 'Waiting: waiting until http://shop.example.test/.well-known/acme-challenge/… answers: ';
  t.is(await said(), `${words}something else`);
  answers.text = new Error('HTTP 503');
  await walk();
  t.is(await said(), `${words}HTTP 503`);
  t.false(requests.includes('POST challenge'));
  const [route, ...more] = (await workspace()).status!.routes!;
  t.deepEqual(more, []);
  const [pod] = (await client.list(Pod)).items;
  t.is(pod?.metadata.name, route?.service);
  t.is(pod?.metadata.ownerReferences?.[0]?.name, 'shop');
  await remove();
  await walk();
  t.deepEqual(await respondersOf(client), []);
});
