import test from 'ava';
import { hostResource } from '../../../../integrations/caddy/resource.ts';
import { routeOf } from '../../../../integrations/caddy/route-table.ts';
import { DefiniteError, ExternalAlreadyExistsError, type Owner, ThrottledError } from '../../../../sdk/index.ts';
import { createMemoryCaddy } from './a-server.ts';

const host = 'a.test';
const ownerOf = (uid: string): Owner => ({
  uid,
  namespace: 'default',
  workspace: 'shop',
  condition: 'Ingress',
  slot: host,
  mark: `${uid}/Ingress/${host}`,
});
const { signal } = new AbortController();
const context = (uid = 'u1') => ({ owner: ownerOf(uid), signal, key: uid });
const wanted = { host, routes: [routeOf(host, [{ path: '/', dial: '127.0.0.1:1' }])] };
const started = () => {
  const server = createMemoryCaddy();
  return { server, resource: hostResource(server, { driftInterval: 1000, deadline: 1000 }) };
};

test('a host has one owner: the second workspace is told whose it is', async (t) => {
  const { server, resource } = started();
  await resource.create(wanted, context());
  await t.throwsAsync(resource.create(wanted, context()), { instanceOf: ExternalAlreadyExistsError });
  await t.throwsAsync(resource.create(wanted, context('u2')), {
    instanceOf: DefiniteError,
    message: 'a.test is routed by workspace u1: ask for another host, or remove that',
  });
  t.is(server.routes?.length, 1);
  t.like(await resource.observe?.({ host }, context('u2')), { mark: 'u1/Ingress/a.test' });
});

test('a route that was added again is seen, and goes; what is not there cannot be changed', async (t) => {
  const { server, resource } = started();
  await resource.create(wanted, context());
  server.routes = [...server.routes!, ...server.routes!];
  t.is((await resource.observe?.({ host }, context()))?.state.routes?.length, 2);
  await resource.update?.({ host }, wanted, context());
  t.is(server.routes.length, 1);
  server.routes = [...server.routes, ...server.routes];
  await resource.delete({ host }, context());
  t.deepEqual(server.routes, []);
  await t.throwsAsync(async () => resource.update?.({ host }, wanted, context()), { instanceOf: DefiniteError });
  const former = [ownerOf('u0')];
  await t.throwsAsync(async () => resource.replaceMark?.({ host }, { ...context(), former }), {
    instanceOf: DefiniteError,
  });
});

test('a change of what others have written meanwhile is not made, and may be tried again', async (t) => {
  const { server, resource } = started();
  const { read } = server;
  server.read = async (ask) => {
    const found = await read.call(server, ask);
    server.routes = [{ '@id': 'other' }];
    return found;
  };
  await t.throwsAsync(resource.create(wanted, context()), { instanceOf: ThrottledError });
  t.deepEqual(server.routes, [{ '@id': 'other' }]);
  await resource.create(wanted, context());
  t.is(server.routes?.length, 2);
});
