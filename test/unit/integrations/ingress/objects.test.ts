import test from 'ava';
import type { RouteObject } from '../../../../integrations/ingress/kinds.ts';
import {
  isCurrentRoute,
  patchTo,
  routeActions,
  type WantedRoute,
  wantedRoutes,
} from '../../../../integrations/ingress/objects.ts';
import { aWorkspace } from '../../a-workspace.ts';

const settings = { className: 'nginx', gateway: undefined, tlsSecret: 'shop-tls', annotations: { a: 'b' } };
const path = (path: string) => ({ path, service: 'shop-web-http', port: 80 });
const hosts = [{ host: 'shop.example.test', paths: [path('/')] }];
const [wanted] = wantedRoutes(aWorkspace(), hosts, { kind: 'Ingress', settings }) as [WantedRoute];
const there = (route: WantedRoute, more: object = {}): RouteObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  spec: route.spec,
  ...more,
  metadata: { ...route.metadata, uid: `uid of ${route.metadata.name}` },
});

test('the labels of a workspace whose name is longer than a label may be are shorter', (t) => {
  const [{ metadata }] = wantedRoutes(aWorkspace({ name: 'x'.repeat(70) }), hosts, { kind: 'Ingress', settings }) as [
    WantedRoute,
  ];
  for (const value of Object.values(metadata.labels)) t.regex(value, /^x{46}-[0-9a-f]{16}$/);
});

test('an Ingress has a class, a certificate and a host with its paths', (t) => {
  t.like(wanted.metadata, { annotations: { a: 'b' }, labels: { 'workspaces.sequencer.io/instance': 'shop' } });
  t.deepEqual(wanted.spec, {
    ingressClassName: 'nginx',
    tls: [{ hosts: ['shop.example.test'], secretName: 'shop-tls' }],
    rules: [
      {
        host: 'shop.example.test',
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'shop-web-http', port: { number: 80 } } } },
          ],
        },
      },
    ],
  });
});

test('an HTTPRoute has sixteen rules at most, so that a host may need several', (t) => {
  const many = [{ host: 'shop.example.test', paths: Array.from({ length: 33 }, (_, index) => path(`/${index}`)) }];
  const gateway = { name: 'edge', namespace: 'infra' };
  const routes = wantedRoutes(aWorkspace(), many, { kind: 'HTTPRoute', settings: { ...settings, gateway } });
  t.deepEqual(
    routes.map(({ spec }) => (spec.rules as unknown[]).length),
    [16, 16, 1],
  );
  t.is(new Set(routes.map(({ metadata }) => metadata.name)).size, 3);
  t.like(routes[0]!.spec, { parentRefs: [{ kind: 'Gateway', name: 'edge', namespace: 'infra' }] });
});

test('any member of the spec that was added, changed or removed is a difference, and the patch ends it', (t) => {
  t.true(isCurrentRoute(wanted, there(wanted)));
  const odd = there(wanted, { spec: { ...wanted.spec, defaultBackend: { service: {} }, tls: undefined } });
  t.false(isCurrentRoute(wanted, odd));
  t.like(patchTo(wanted, odd), {
    metadata: { uid: odd.metadata.uid },
    spec: { defaultBackend: null, tls: [{ secretName: 'shop-tls' }], ingressClassName: 'nginx' },
  });
  t.false(isCurrentRoute({ ...wanted, metadata: { ...wanted.metadata, annotations: { a: 'c' } } }, there(wanted)));
});

test('what is missing is created, what differs is patched, and the rest goes, last', (t) => {
  const [other] = wantedRoutes(aWorkspace(), [{ ...hosts[0]!, host: 'b.test' }], { kind: 'Ingress', settings });
  const changed = there(wanted, { spec: {} });
  const observed = { Ingress: [changed, there({ ...wanted, metadata: { ...wanted.metadata, name: 'old' } })] };
  t.deepEqual(
    routeActions('Ingress', [wanted, other!], observed).map((action) => action.do),
    ['patch', 'create', 'delete'],
  );
  t.deepEqual(
    routeActions('HTTPRoute', [wanted], observed).map(({ do: what, kind }) => `${what} ${kind}`),
    ['create HTTPRoute', 'delete Ingress', 'delete Ingress'],
  );
  const going = { ...changed, metadata: { ...changed.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  t.deepEqual(routeActions('Ingress', [wanted], { Ingress: [going] }), []);
});
