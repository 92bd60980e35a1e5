import test from 'ava';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster, type WebhookFunction } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';

test('mutating webhooks that want it are asked once more when another one changed the object after them', async (t) => {
  const seen: string[] = [];
  const stamping =
    (name: string, isWanted: (data: Fields) => boolean): WebhookFunction =>
    ({ request }) => {
      const { data } = request.object as { readonly data: Fields };
      seen.push(`${name}(${Object.keys(data)})`);
      if (!isWanted(data)) return { allowed: true };
      const patch = JSON.stringify([{ op: 'add', path: `/data/${name}`, value: '' }]);
      return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
    };
  const stamps = {
    a: () => false,
    b: ({ c }: Fields) => c !== undefined,
    c: ({ c }: Fields) => c === undefined,
    d: () => false,
  };
  const urlOf = (name: string) => `https://${name}.example.com/`;
  const cluster = await createCluster({
    webhooks: Object.fromEntries(
      Object.entries(stamps).map(([name, isWanted]) => [urlOf(name), stamping(name, isWanted)]),
    ),
  });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask('POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'stamps' },
    webhooks: Object.keys(stamps).map((name) => ({
      name: `${name}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: urlOf(name) },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      reinvocationPolicy: name === 'a' ? 'Never' : 'IfNeeded',
    })),
  });
  const { body } = await ask('POST /api/v1/namespaces/default/configmaps', {
    metadata: { name: 'x' },
    data: { x: '' },
  });
  t.deepEqual(body.data, { b: '', c: '', x: '' });
  t.deepEqual(seen, ['a(x)', 'b(x)', 'c(x)', 'd(x,c)', 'b(x,c)', 'c(x,c,b)', 'd(x,c,b)']);
});

test('webhooks are asked about ways into pods before these end', async (t) => {
  const url = 'https://hook.example.com/connect';
  const reviews: Fields[] = [];
  const answer: WebhookFunction = ({ request }) => {
    reviews.push(request);
    return { allowed: request.name !== 'closed', status: { message: 'no way in' } };
  };
  const cluster = await createCluster({ webhooks: { [url]: answer } });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] }];
  const hook = {
    name: 'hook.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url },
    rules,
  };
  await ask('POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'hooks' },
    webhooks: [hook],
  });
  const path = '/api/v1/namespaces/default/pods';
  const refused = await ask(`POST ${path}/closed/exec?command=ls&command=-l&stdout=true`);
  t.is(refused.body.message, 'admission webhook "hook.example.com" denied the request: no way in');
  t.is((await ask(`POST ${path}/open/exec?command=ls`)).body.message, 'pods "open" not found');
  t.deepEqual(
    reviews.map(({ operation, object }) => [operation, object]),
    [
      ['CONNECT', { kind: 'PodExecOptions', apiVersion: 'v1', stdout: true, command: ['ls', '-l'] }],
      ['CONNECT', { kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls'] }],
    ],
  );
});
