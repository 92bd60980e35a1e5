import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { createCluster, type WebhookFunction } from '../../../cluster/index.ts';
import { type Answer, askOf } from '../fixtures/ask.ts';

const applyType = { 'content-type': 'application/apply-patch+yaml' };
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const map = (name: string, data?: Fields): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...(data !== undefined && { data }),
});

const deployment = (name: string, replicas: number): Fields => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'app:1' }] } },
  },
});

async function start(t: ExecutionContext, webhooks: Record<string, WebhookFunction> = {}) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, webhooks });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const apply = (manager: string, path: string, object: Fields | string): Promise<Answer> =>
    ask(`PATCH ${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}`, object, applyType);
  return { clock, ask, apply };
}

const metaOf = ({ body }: Answer): Fields => body.metadata as Fields;

const managersOf = (answer: Answer): readonly string[] =>
  ((metaOf(answer).managedFields as Fields[] | undefined) ?? []).map(
    ({ manager, operation, subresource, fieldsV1 }) =>
      `${manager} ${operation}${subresource === undefined ? '' : ` ${subresource}`} ${JSON.stringify(fieldsV1)}`,
  );

test('applying the same again leaves version and time, whichever manager has applied', async (t) => {
  const { clock, apply } = await start(t);
  const datas = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), { noNullPrototype: true });
  let count = 0;
  const rule = fc.asyncProperty(datas, datas, async (mine, theirs) => {
    count += 1;
    const path = `${configMaps}/m${count}`;
    await apply('other', path, map(`m${count}`, theirs));
    const first = await apply('one&force=true', path, map(`m${count}`, mine));
    clock.advance(5_000);
    const second = await apply('one', path, map(`m${count}`, mine));
    t.deepEqual(second.body, first.body);
    const third = await apply('one', path, map(`m${count}`));
    t.deepEqual(
      managersOf(third).filter((text) => text.startsWith('one')),
      [],
    );
    t.false(Object.keys(mine).some((key) => !(key in theirs) && key in ((third.body.data ?? {}) as Fields)));
  });
  await fc.assert(rule, { numRuns: 30 });
});

test('an apply creates, conflicts, is forced, shares and gives up', async (t) => {
  const { apply } = await start(t);
  const created = await apply(
    'one',
    `${configMaps}/a`,
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n',
  );
  t.is(created.status, 201);
  t.deepEqual(managersOf(created), ['one Apply {"f:data":{"f:k":{}}}']);
  const refused = await apply('two', `${configMaps}/a`, map('a', { k: 'w' }));
  t.is(refused.status, 409);
  t.is(refused.body.message, 'Apply failed with 1 conflict: conflict with "one": .data.k');
  const shared = await apply('two', `${configMaps}/a`, map('a', { k: 'v', l: '1' }));
  t.is(managersOf(shared).length, 2);
  const forced = await apply('two&force=true', `${configMaps}/a`, map('a', { k: 'w', l: '1' }));
  t.deepEqual(managersOf(forced), ['two Apply {"f:data":{"f:k":{},"f:l":{}}}']);
  const left = await apply('two', `${configMaps}/a`, map('a', { k: 'w' }));
  t.deepEqual(left.body.data, { k: 'w' });
});

test('plain writes are managed under the name that the client gives, until managers are reset', async (t) => {
  const { ask, apply } = await start(t);
  const made = await ask(`POST ${configMaps}`, map('a', { k: 'v' }), { 'user-agent': 'maker/1' });
  t.deepEqual(managersOf(made), ['maker Update {"f:data":{".":{},"f:k":{}}}']);
  const changed = await ask(`PATCH ${configMaps}/a?fieldManager=given`, { data: { k: null, l: '1' } });
  t.deepEqual(managersOf(changed), ['given Update {"f:data":{"f:l":{}}}', 'maker Update {"f:data":{}}']);
  const reset = await ask(`PATCH ${configMaps}/a`, { metadata: { managedFields: [{}] } });
  t.deepEqual(managersOf(reset), []);
  t.deepEqual(managersOf(await ask(`PATCH ${configMaps}/a`, { data: { m: '1' } })), []);
  const applied = await apply('one', `${configMaps}/a`, map('a', { n: '1' }));
  t.deepEqual(managersOf(applied), [
    'one Apply {"f:data":{"f:n":{}}}',
    'before-first-apply Update {"f:data":{".":{},"f:l":{},"f:m":{}}}',
  ]);
});

test('what the server sets or admission adds has no manager, and templates have fields of their own', async (t) => {
  const { ask } = await start(t);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'm', image: 'i' }] },
  };
  const [text = ''] = managersOf(await ask('POST /api/v1/namespaces/default/pods', pod, { 'user-agent': 'maker' }));
  t.true(text.includes('"k:{\\"name\\":\\"m\\"}":{".":{}'));
  for (const name of ['uid', 'priority', 'tolerations', 'status', 'nodeName'])
    t.false(text.includes(`f:${name}"`), name);
});

test('the count of a Scale is one field with that of its object', async (t) => {
  const { ask, apply } = await start(t);
  await apply('one', `${deployments}/d`, deployment('d', 1));
  const scaled = await ask(`PATCH ${deployments}/d/scale`, { spec: { replicas: 3 } }, { 'user-agent': 'scaler/1' });
  t.is(scaled.status, 200);
  const stored = await ask(`GET ${deployments}/d`);
  t.true(managersOf(stored).includes('scaler Update scale {"f:spec":{"f:replicas":{}}}'));
  t.false(managersOf(stored).some((text) => text.startsWith('one') && text.includes('f:replicas')));
  const refused = await apply('one', `${deployments}/d`, deployment('d', 1));
  t.is(
    refused.body.message,
    'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
  );
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 5 } };
  t.is((await apply('two', `${deployments}/d/scale`, scale)).status, 409);
  t.is((await apply('two&force=true', `${deployments}/d/scale`, scale)).status, 200);
  const after = managersOf(await ask(`GET ${deployments}/d`));
  t.true(after.includes('two Apply scale {"f:spec":{"f:replicas":{}}}'));
});

test('kubectl takes over from its client-side apply what no other manager has changed since', async (t) => {
  const { ask, apply } = await start(t);
  const note = 'kubectl.kubernetes.io/last-applied-configuration';
  const noted = {
    ...map('a', { k: '1', l: '1' }),
    metadata: { name: 'a', annotations: { [note]: JSON.stringify(map('a', { k: '1' })) } },
  };
  await ask(`POST ${configMaps}?fieldManager=kubectl-client-side-apply`, noted);
  t.is((await apply('other', `${configMaps}/a`, map('a', { k: '2' }))).status, 409);
  t.is((await apply('kubectl', `${configMaps}/a`, map('a', { l: '2' }))).status, 409);
  const taken = await apply('kubectl', `${configMaps}/a`, map('a', { k: '2' }));
  t.is(taken.status, 200);
  const annotations = metaOf(taken).annotations as Fields;
  t.is(annotations[note], '{"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"a"}}\n');
});

for (const [title, body, status, message] of [
  ['another kind', { ...map('a'), kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
  [
    'an unknown field',
    { ...map('a'), extra: 1 },
    500,
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .extra: field not declared in schema',
  ],
  ['another name', map('b'), 400, 'the name of the object (b) does not match the name on the URL (a)'],
  [
    'no object',
    [],
    400,
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [
    'a uid of nothing',
    { ...map('a'), metadata: { name: 'a', uid: 'u' } },
    409,
    'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid u, and no existing object was found',
  ],
] as const) {
  test(`an apply of ${title} is refused`, async (t) => {
    const { apply } = await start(t);
    const answer = await apply('one', `${configMaps}/a`, JSON.stringify(body));
    t.is(answer.status, status);
    t.is(answer.body.message, message);
  });
}

test('an apply names its manager, and other patches are never forced', async (t) => {
  const { ask } = await start(t);
  const nameless = await ask(`PATCH ${configMaps}/a`, map('a'), applyType);
  t.is(nameless.status, 422);
  t.is((await ask(`PATCH ${configMaps}/a?force=true`, {})).status, 422);
});

test('what a webhook adds has no manager, and it sees who manages the rest', async (t) => {
  const url = 'https://hook.example.com/review';
  const seen: Fields[] = [];
  const patch = Buffer.from('[{"op":"add","path":"/data/added","value":"1"}]').toString('base64');
  const { ask, apply } = await start(t, {
    [url]: ({ request }) => {
      seen.push(request.object as unknown as Fields);
      return { allowed: true, patchType: 'JSONPatch', patch };
    },
  });
  await ask('POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'adder' },
    webhooks: [
      {
        name: 'adder.example.com',
        clientConfig: { url },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const made = await ask(`POST ${configMaps}`, map('a', { k: 'v' }), { 'user-agent': 'maker/1' });
  t.deepEqual(made.body.data, { added: '1', k: 'v' });
  t.deepEqual(managersOf(made), ['maker Update {"f:data":{".":{},"f:k":{}}}']);
  const applied = await apply('one', `${configMaps}/a`, map('a', { l: '1' }));
  t.deepEqual(applied.body.data, { added: '1', k: 'v', l: '1' });
  t.deepEqual(managersOf(applied), ['one Apply {"f:data":{"f:l":{}}}', ...managersOf(made)]);
  const names = seen.map(({ metadata }) =>
    ((metadata as Fields).managedFields as Fields[]).map(({ manager }) => manager),
  );
  t.deepEqual(names, [['maker'], ['one', 'maker']]);
});
