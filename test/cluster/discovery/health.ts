/** Health endpoints. */

import type { ResponseRequest } from '../encoding/encode-response.ts';
import { textResponse } from '../encoding/representation.ts';
import type { ApiResponse } from '../requests/message.ts';
import type { ServerContext } from '../server/server-context.ts';

const poststarthooks = `start-apiserver-admission-initializer generic-apiserver-start-informers
  priority-and-fairness-config-consumer priority-and-fairness-filter storage-object-count-tracker-hook
  start-apiextensions-informers start-apiextensions-controllers crd-informer-synced start-system-namespaces-controller
  start-cluster-authentication-info-controller start-kube-apiserver-identity-lease-controller
  start-kube-apiserver-identity-lease-garbage-collector start-legacy-token-tracking-controller
  start-service-ip-repair-controllers rbac/bootstrap-roles scheduling/bootstrap-system-priority-classes
  priority-and-fairness-config-producer bootstrap-controller start-kubernetes-service-cidr-controller
  start-kube-aggregator-informers apiservice-status-local-available-controller
  apiservice-status-remote-available-controller apiservice-registration-controller apiservice-discovery-controller
  kube-apiserver-autoregistration`;

const hooks = (text: string): readonly string[] => text.split(/\s+/).map((name) => `poststarthook/${name}`);

/** Health check that exists with RBAC only. All checks pass here once the server answers. */
const ofRbac = 'poststarthook/rbac/bootstrap-roles';
const checks = [
  'ping',
  'log',
  'etcd',
  'etcd-readiness',
  'informer-sync',
  ...hooks(poststarthooks),
  'autoregister-completion',
  ...hooks('apiservice-openapi-controller apiservice-openapiv3-controller'),
  'shutdown',
];

/** Checks of `/readyz` only. */
const onlyReady = ['etcd-readiness', 'informer-sync', 'shutdown'];

/** Text response with content sniffing disabled. */
function noSniffResponse(text: string): ApiResponse {
  const response = textResponse(200, text);
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}

const names = ['healthz', 'livez', 'readyz'];

function checksOf(name: string, { authorizer }: ServerContext): readonly string[] {
  const known = authorizer.isOpen ? checks.filter((one) => one !== ofRbac) : checks;
  return name === 'readyz' ? known : known.filter((one) => !onlyReady.includes(one));
}

/** Returns the paths of all checks. */
export const healthPaths = (server: ServerContext): readonly string[] =>
  names.flatMap((name) => [`/${name}`, ...checksOf(name, server).map((check) => `/${name}/${check}`)]);

/** Answers `/healthz`, `/livez` and `/readyz`, and single checks below them; undefined for other paths. */
export function health(path: string, { request: { url }, server }: ResponseRequest): ApiResponse | undefined {
  const [, name, check] = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const asked = checksOf(name, server);
  if (check !== undefined) return asked.includes(check) ? textResponse(200, 'ok') : undefined;
  const query = new URLSearchParams(url.split('?', 2)[1]);
  if (!query.has('verbose')) return noSniffResponse('ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = asked.map((one) => (excluded.has(one) ? `[+]${one} excluded: ok` : `[+]${one} ok`));
  const unknown = [...excluded].filter((one) => !asked.includes(one)).map((one) => JSON.stringify(one));
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(', ')}`);
  }
  return noSniffResponse(`${[...lines, `${name} check passed`].join('\n')}\n`);
}
