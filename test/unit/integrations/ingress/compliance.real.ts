import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { gatewayKind, type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { isCurrentRoute, patchTo, wantedRoutes } from '../../../../integrations/ingress/objects.ts';
import {
  type CustomResourceDefinition,
  createClient,
  ensureCrds,
  type Kind,
  loadConnection,
} from '../../../../sdk/index.ts';
import { type CaseName, type Subject, type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { startRealServer } from '../../../system/real/server.ts';
import { run } from '../../../system/stories/programs.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { subjectOf } from './subject.ts';

/** Returns the Gateway API's own definition of a kind, from its Go module. */
async function definitionOf({ group, plural }: Kind): Promise<CustomResourceDefinition> {
  const { stdout, stderr } = await run('go', ['mod', 'download', '-json', 'sigs.k8s.io/gateway-api@v1.4.1']);
  const { Dir: folder } = JSON.parse(stdout || '{}') as { readonly Dir?: string };
  if (folder === undefined) throw new Error(`no Gateway API: ${stderr}${stdout}`);
  const file = join(folder, 'config/crd/standard', `${group}_${plural}.yaml`);
  return parseAllDocuments(readFileSync(file, 'utf8'))[0]!.toJS() as CustomResourceDefinition;
}

const server = await startRealServer();
const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
await ensureCrds(
  client,
  [routeKinds.HTTPRoute, gatewayKind].map((kind: Kind) => ({ ...kind, crd: () => definitionOf(kind) })),
);
test.after.always('kube-apiserver stops', () => server.close());

const named = (kind: string): TestFunction =>
  Object.assign(
    (title: string, prove: (context?: unknown) => Promise<void>) => test.serial(`${kind}: ${title}`, prove),
    {
      skip: (title: string) => test.serial.skip(`${kind}: ${title}`, () => {}),
    },
  );
const real = { time: 'real', kubeconfig: server.kubeconfigPath } as const;
/** Cases in which the API server answers no differently than the one in memory, and that take minutes. */
const swept = [
  'reports',
  'ambiguous',
  'definite',
  'throttled',
  'forged',
  'copied',
  'secrets',
  'memory',
  'covers',
] as const;
const without = (...names: readonly CaseName[]): Subject['cannot'] =>
  Object.fromEntries([
    ...[...swept, ...names].map((name) => [name, 'proved in virtual time'] as const),
    ['fixes', 'proved in virtual time: here it is corrected before the kit has seen it'],
  ]);

testIntegration(named('Ingress'), { ...subjectOf('Ingress'), ...real, cannot: without() });
testIntegration(named('HTTPRoute'), { ...subjectOf('HTTPRoute'), ...real, cannot: without('crash') });

const paths = Array.from({ length: 20 }, (_, index) => ({ path: `/${index}`, service: 'shop-web-http', port: 80 }));
const settings = {
  className: 'nginx',
  gateway: { name: 'edge', sectionName: 'https' },
  tlsSecret: 'shop-tls',
  annotations: { a: 'b' },
};

for (const kind of ['Ingress', 'HTTPRoute'] as const)
  test(`${kind}: what the API server stores is what was wanted, with all of its defaults`, async (t) => {
    const workspace = aWorkspace();
    const routes = wantedRoutes(workspace, [{ host: '*.example.test', paths }], { kind, settings });
    t.is(routes.length, kind === 'Ingress' ? 1 : 2);
    for (const route of routes) {
      const made = await client.create<RouteObject>(routeKinds[kind], {
        ...route,
        metadata: { ...route.metadata, namespace: 'default' },
      });
      t.true(isCurrentRoute(route, made), JSON.stringify(made.spec));
      const changed = {
        ...route,
        spec: { ...route.spec, ...(kind === 'Ingress' ? { tls: undefined } : { hostnames: ['b.example.test'] }) },
      };
      const wanted = JSON.parse(JSON.stringify(changed)) as typeof route;
      const key = { namespace: 'default', name: route.metadata.name };
      const patched = await client.patch<RouteObject>(routeKinds[kind], key, {
        type: 'merge',
        value: patchTo(wanted, made),
      });
      t.true(isCurrentRoute(wanted, patched), JSON.stringify(patched.spec));
    }
  });
