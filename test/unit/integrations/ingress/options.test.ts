import test from 'ava';
import { checkedIngressOptions, type IngressOptions } from '../../../../integrations/ingress/options.ts';
import { aWorkspace } from '../../a-workspace.ts';

const checked = (options: unknown = {}) => checkedIngressOptions(options as IngressOptions);
const asking = (ingress: object) =>
  aWorkspace({ spec: { networking: { ingress: { className: 'nginx', rules: [], ...ingress } } } });

test('what is left out gets its default', (t) => {
  t.like(checked(), { api: 'auto', gateways: [], waitForAddress: false, driftInterval: 300_000 });
  t.deepEqual(checked().settingsFor(asking({}), 'Ingress'), {
    className: 'nginx',
    gateway: undefined,
    tlsSecret: undefined,
    annotations: {},
  });
});

test('a workspace names one of the classes, unless there is one for all', (t) => {
  const listed = checked({ className: ['nginx', 'internal'], tlsSecret: '{workspace}-tls' });
  t.like(listed.settingsFor(asking({ className: 'internal' }), 'Ingress'), {
    className: 'internal',
    tlsSecret: 'shop-tls',
  });
  t.is(
    listed.settingsFor(asking({ className: 'public' }), 'Ingress'),
    'spec.networking.ingress.className must be one of nginx, internal; found "public"',
  );
  t.like(checked({ className: 'traefik' }).settingsFor(asking({ className: 'public' }), 'Ingress'), {
    className: 'traefik',
  });
  t.regex(String(listed.settingsFor(asking({ loadBalancerRef: { name: 'edge' } }), 'Ingress')), /names a Gateway/);
});

test('a workspace names one of the Gateways; the first is the default', (t) => {
  const { settingsFor } = checked({ gateway: [{ name: 'edge', namespace: 'infra' }, { name: 'own' }] });
  t.like(settingsFor(asking({}), 'HTTPRoute'), { gateway: { name: 'edge', namespace: 'infra' } });
  t.like(settingsFor(asking({ loadBalancerRef: { name: 'own' } }), 'HTTPRoute'), { gateway: { name: 'own' } });
  t.is(
    settingsFor(asking({ loadBalancerRef: { name: 'edge', namespace: 'other' } }), 'HTTPRoute'),
    'spec.networking.ingress.loadBalancerRef must be one of infra/edge, default/own; found other/edge',
  );
});

for (const [why, options, message] of [
  ['an unknown option', { classname: 'x' }, /options: classname is not an option/],
  ['an API that is none', { api: 'Route' }, /api must be auto, Ingress or HTTPRoute, not "Route"/],
  ['no class', { className: [] }, /className must be the name of a class/],
  ['a class that is none', { className: 'a b' }, /className must be the name of a class/],
  ['HTTPRoute without a Gateway', { api: 'HTTPRoute' }, /gateway must be set where api is HTTPRoute/],
  ['a Gateway without a name', { gateway: { namespace: 'a' } }, /gateway\[0\]\.name must be the name of an object/],
  ['a Gateway with more', { gateway: { name: 'a', port: 1 } }, /gateway\[0\]: port is not an option/],
  ['a Secret that is none', { tlsSecret: '{name}-tls' }, /tlsSecret must be the name of a Secret/],
  ['annotations that are none', { annotations: { a: 1 } }, /annotations\.a must be a text, not 1/],
  ['a list of annotations', { annotations: [] }, /annotations must be an object of texts/],
  ['a wait that is none', { waitForAddress: 1 }, /waitForAddress must be true or false/],
  ['an interval that is too short', { driftInterval: 1 }, /driftInterval must be a whole number from 1000/],
  ['a host that is none', { host: 'x' }, /host must be a DNS name with \{name\}/],
  ['names that are none', { names: 'x' }, /names must be a list of DNS names/],
] as const)
  test(`${why} is refused by name`, (t) => {
    t.throws(() => checked(options), { instanceOf: TypeError, message });
  });
