import type { Scenario, Step } from '../runner/scenario.ts';
import { apart } from './discovery.ts';

const pathsOf = (text: string): readonly Step[] =>
  text
    .trim()
    .split(/\s+/)
    .map((path) => ({ path }));

const methods = ['HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const byMethod = (path: string): Scenario =>
  apart(
    `${path} by method`,
    methods.map((method): Step => ({ path, method })),
  );
const types = ['application/json', 'application/yaml', 'text/html', 'text/plain', '*/*', 'image/png'];
const byType = (path: string): Scenario =>
  apart(
    `${path} by media type`,
    types.map((accept): Step => ({ path, headers: { accept } })),
  );

const health = `
  /healthz /livez /readyz /healthz/ /livez/ /readyz/ /healthz/ping /livez/ping /readyz/ping /readyz/etcd /healthz/etcd
  /readyz/informer-sync /livez/informer-sync /healthz/log /readyz/shutdown /healthz/nothing /readyz/nothing
  /readyz/poststarthook/rbac/bootstrap-roles /livez/poststarthook/nothing /healthz?verbose /livez?verbose /readyz?verbose
  /readyz?verbose=1 /readyz?verbose=false /readyz?verbose&exclude=etcd /readyz?exclude=etcd
  /readyz?verbose&exclude=nothing /readyz?verbose&exclude=nothing&exclude=etcd&exclude=ping /livez?exclude=nothing
  /readyz/etcd?verbose /readyz/ping/ /readyz//ping /healthz?timeout=1s /livez?verbose&exclude=etcd,ping`;

const odd = `
  /nothing /nothing/ /favicon.ico /swagger.json /swagger-ui/ /ui /ui/ /static /static/ /swaggerapi /validate /proxy
  /logs /logs/ /logs/x /debug /debug/ /debug/pprof /debug/pprof/ /debug/pprof/heap /debug/flags/v
  /statusz /flagz /statusz/ /flagz/ /configz
  /metrics/ /metrics/slis/ /version/x /version/ /index.html /index.html/ /index
  // //api //api/v1 /api//v1 /api/v1//pods /apis//apps /apis/apps//v1
  /API /Api/v1 /apis/Apps/v1 /api/v1/Pods /%61pi /api%2Fv1 /api/v1%2Fpods /api;x /api/v1;a=b /apix /apis.
  /.well-known /.well-known/ /.well-known/openid-configuration/ /.well-known/nothing /openid /openid/v1 /openid/v1/
  /openid/v1/jwks/ /openapi /openapi/ /openapi/v2/ /openapi/v4 /openapi/v3/ /openapi/v3/nothing /openapi/v3/apis/x/v1
  /openapi/v3/api/v1/ /swagger /healthz%3Fx /?x=y`;

const guarded = `/ /index.html /version /version/ /healthz /healthz/ /healthz/etcd /livez /livez/ping /readyz /readyz/etcd
  /metrics /metrics/slis /api /api/ /api/v1 /apis /apis/ /apis/apps /apis/apps/v1 /apis/nothing /openapi /openapi/v3
  /openapi/v3/nothing /.well-known /.well-known/openid-configuration /openid/v1/jwks /logs /nothing //api
  /debug/pprof/ /statusz /flagz`;

/** Pages visible to a user of these groups only. */
const asMember = (group: string): Scenario =>
  apart(
    `pages for a member of ${group}`,
    pathsOf(guarded)
      .filter(({ path }) => group === 'some' || !/^\/(?:metrics|openapi\/v3$)/.test(path))
      .map((step) => ({ ...step, headers: { 'impersonate-user': 'jane', 'impersonate-group': group } })),
  );

/** Pages outside the API: health, metrics, and unserved paths. */
export const otherScenarios: readonly Scenario[] = [
  apart('health', pathsOf(health)),
  apart('odd paths', pathsOf(odd)),
  apart('the root', pathsOf('/')),
  apart('keys of tokens', pathsOf('/.well-known/openid-configuration /openid/v1/jwks')),
  ...['/', '/healthz', '/livez', '/readyz', '/readyz/ping', '/version', '/nothing', '/openid/v1/jwks'].map(byMethod),
  ...['/.well-known/openid-configuration', '/openapi/v3', '/openapi/v3/version'].map(byMethod),
  ...['/', '/healthz', '/readyz?verbose', '/version', '/nothing', '/openid/v1/jwks', '/openapi/v3/version'].map(byType),
  ...['/.well-known/openid-configuration', '/openapi/v3'].map(byType),
  ...['some', 'system:authenticated', 'system:unauthenticated', 'system:monitoring'].map(asMember),
  apart('OpenAPI documents by their hash', [
    { path: '/openapi/v3/version?hash=nothing' },
    { path: '/openapi/v3/version?hash=' },
    { path: '/openapi/v3/nothing?hash=x' },
    { path: '/openapi/v3/version', headers: { 'if-none-match': '"x"' } },
    { path: '/openapi/v3/version', headers: { 'if-none-match': '*' } },
    { path: '/openapi/v3/openid/v1/jwks' },
    { path: '/openapi/v3/.well-known/openid-configuration' },
    ...['application/json', 'text/plain', 'application/*', 'application/yaml', ''].map(
      (accept): Step => ({ path: '/openapi/v3/version', headers: { accept } }),
    ),
  ]),
];
