/** Operations with the results of a Caddy server, which both the one in memory and the real one have to give. */

import type { ExecutionContext } from 'ava';
import type { CaddyAdmin } from '../../../../integrations/caddy/admin.ts';
import { routeOf } from '../../../../integrations/caddy/route-table.ts';

/** Asserts that operations on an empty server behave as its admin API does. */
export async function expectCaddy(t: ExecutionContext, admin: CaddyAdmin): Promise<void> {
  const { signal } = new AbortController();
  const none = await admin.read({ signal });
  t.is(none.routes, undefined);
  const route = { '@id': 'workspace:a:Ingress:a.test', ...routeOf('a.test', [{ path: '/x', dial: '127.0.0.1:9' }]) };
  t.true(await admin.replace({ before: none, routes: [], signal }));
  t.false(await admin.replace({ before: none, routes: [route], signal }), 'an old version');
  const empty = await admin.read({ signal });
  t.deepEqual(empty.routes, []);
  t.true(await admin.replace({ before: empty, routes: [route, route], signal }), 'the same @id twice');
  const twice = await admin.read({ signal });
  t.deepEqual(twice.routes, [route, route]);
  t.false(await admin.replace({ before: empty, routes: [], signal }));
  t.deepEqual(await admin.read({ signal }), twice, 'what was refused has changed nothing');
  t.true(await admin.replace({ before: twice, routes: [route], signal }));
  t.not((await admin.read({ signal })).version, twice.version);
}
