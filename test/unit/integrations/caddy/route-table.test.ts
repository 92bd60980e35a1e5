import test from 'ava';
import {
  type CaddyRoute,
  ownedRoutes,
  routeId,
  routeOf,
  routeOwnerOf,
  takenBy,
  withOwner,
  withoutId,
  withoutRoutes,
  withRoute,
} from '../../../../integrations/caddy/route-table.ts';

const host = 'a.test';
const owner = { mark: 'u1/Ingress/a.test', host };
const other = { mark: 'u2/Ingress/a.test', host };
const route = routeOf(host, [{ path: '/', dial: '127.0.0.1:1' }]);
const of = (who: { readonly mark: string }): CaddyRoute => ({ '@id': routeId(who), ...route });
const foreign: CaddyRoute = { '@id': 'blog', match: [{ host: ['Blog.test', 'b.test'] }] };

test('an @id names its owner, that of others names none', (t) => {
  t.is(routeId(owner), 'workspace:u1:Ingress:a.test');
  t.deepEqual(routeOwnerOf(of(owner)), { ...owner, uid: 'u1' });
  for (const id of ['blog', 'workspace:', 'workspace:u1', undefined])
    t.is(routeOwnerOf(id === undefined ? {} : { '@id': id }), undefined, String(id));
  t.is(routeOwnerOf({ '@id': 7 } as never), undefined);
});

test('the longest path is tried first, and what no path fits is not found', (t) => {
  const paths = [
    { path: '/api', dial: '127.0.0.1:1' },
    { path: '/api/v1/', dial: '127.0.0.1:2' },
  ];
  t.like(routeOf(host, paths), {
    match: [{ host: [host] }],
    terminal: true,
    handle: [
      {
        handler: 'subroute',
        routes: [
          { match: [{ path: ['/api/v1', '/api/v1/*'] }], terminal: true },
          { match: [{ path: ['/api', '/api/*'] }], handle: [{ upstreams: [{ dial: '127.0.0.1:1' }] }] },
          { handle: [{ handler: 'static_response', status_code: 404 }] },
        ],
      },
    ],
  });
  const [{ routes }] = route.handle as [{ routes: readonly object[] }];
  t.is(routes.length, 1, 'a path / fits everything');
});

test('a host is taken by any other route that names it, in any case of letters', (t) => {
  t.is(takenBy([of(owner), foreign], owner), undefined);
  t.is(takenBy([of(other)], owner), 'workspace u2');
  t.is(takenBy([foreign], { mark: 'u1/Ingress/blog.test', host: 'blog.test' }), 'the route blog');
  t.is(takenBy([{ match: [{ host: ['a.test'] }] }], owner), 'a route without @id');
  const odd = [{ match: 'x' }, { match: [null, { host: 'a.test' }] }, {}] as unknown as readonly CaddyRoute[];
  t.is(takenBy(odd, owner), undefined);
});

test('a route is put in place of the first, and those that were added again go', (t) => {
  t.deepEqual(withRoute([foreign], owner, route), [foreign, of(owner)]);
  t.is(withRoute([foreign, of(owner)], owner, route), undefined);
  const changed = { ...of(owner), terminal: false };
  t.deepEqual(withRoute([changed, foreign, of(owner), of(other)], owner, route), [of(owner), foreign, of(other)]);
  t.deepEqual(ownedRoutes([changed, foreign, of(owner)], owner), [changed, of(owner)]);
  t.deepEqual(withoutId(of(owner)), route);
});

test('all routes of an owner are removed, and those of no other', (t) => {
  t.deepEqual(withoutRoutes([of(owner), foreign, of(other), of(owner)], owner), [foreign, of(other)]);
  t.is(withoutRoutes([foreign, of(other)], owner), undefined);
});

test('routes of former owners get the present one', (t) => {
  t.deepEqual(withOwner([of(other), foreign], owner, [other]), [of(owner), foreign]);
  t.is(withOwner([of(owner), foreign], owner, [other]), undefined);
});
