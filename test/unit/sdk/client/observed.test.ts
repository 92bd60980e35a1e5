import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { createClient } from '../../../../sdk/client/http/create-client.ts';
import type { ClientRequest } from '../../../../sdk/client/http/observer.ts';
import { theServer } from '../operator/controlled.ts';

test('an observer sees each request with its answer, and each watch from its opening to its end', async (t) => {
  const { cluster, clock, namespace, key } = await theServer();
  const log: string[] = [];
  const said = ({ verb, kind, subresource, method, url }: ClientRequest) =>
    `${verb} ${kind}/${subresource} ${method} ${url.replace(cluster.url, '').replace(/\?.*/, '')}`;
  const client = createClient({
    server: cluster.url,
    dispatcher: cluster.dispatcher,
    clock,
    observer: {
      async request(request, work) {
        const answer = await work();
        log.push(`${said(request)} ${answer.status}`);
        return answer;
      },
      watch(request) {
        log.push(said(request));
        return {
          opened: () => void log.push('opened'),
          event: () => void log.push('event'),
          ended: (error) => void log.push(`ended ${error}`),
        };
      },
    },
  });
  const made = await client.create(ConfigMap, { metadata: key('a') });
  await client.update(ConfigMap, made);
  await client.list(ConfigMap, { namespace });
  await client.delete(ConfigMap, key('a'));
  await client.raw('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
  });
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  t.deepEqual(log.splice(0), [
    `CREATE configmaps/spec POST ${maps} 201`,
    `UPDATE configmaps/spec PUT ${maps}/a 200`,
    `LIST configmaps/spec GET ${maps} 200`,
    `DELETE configmaps/spec DELETE ${maps}/a 200`,
    'CREATE / POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews 201',
  ]);
  const stop = new AbortController();
  const watch = client.watch(ConfigMap, {
    namespace,
    resourceVersion: made.metadata.resourceVersion!,
    signal: stop.signal,
  });
  for await (const _ of watch) stop.abort();
  t.deepEqual(log, [`WATCH configmaps/spec GET ${maps}`, 'opened', 'event', 'ended undefined']);
});
