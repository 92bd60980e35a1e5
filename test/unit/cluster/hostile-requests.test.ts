import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Agent, request } from 'undici';
import { createCluster } from '../../cluster/index.ts';
import { postReview } from '../../cluster/webhooks/webhook-client.ts';
import { excessiveGrowth } from '../growth.ts';
import { aDefinition } from './fixtures/a-definition.ts';
import { askOf } from './fixtures/ask.ts';
import { answersAsReal } from './fixtures/expected-answers.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const free = aDefinition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

const token = (parts: object): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
const continued = (rv: number): string => `${maps}?continue=${token({ v: 'meta.k8s.io/v1', rv, start: 'a\0' })}`;
const named = (path: string, name: string, why: string) =>
  ['GET', 'DELETE'].map((method) => ({
    ask: `${method} ${path}`,
    answer: `400 Name parameter invalid: "${name}": ${why}`,
  }));

test(
  'names, tokens and selectors that no client makes are answered as the real server does',
  answersAsReal({ before: [[`POST ${definitions}`, free]] }, [
    ...named(`${maps}/a%25b`, 'a%b', "may not contain '%'"),
    ...named(`${gadgets}/a%25b`, 'a%b', "may not contain '%'"),
    ...named(`${maps}/..%2f`, '..', "may not be '..'"),
    { ask: `GET ${continued(-5)}`, answer: '200' },
    { ask: `GET ${continued(9_999_999)}`, answer: '504 Timeout: Too large resource version: 9999999, current: …' },
    { ask: `GET ${maps}?fieldSelector=%3D`, answer: '200' },
    { ask: `GET ${maps}?fieldSelector=!%3D`, answer: '200' },
    { ask: `GET ${maps}?fieldSelector=%3Da`, answer: '400 "" is not a known field selector: only "metadata.name", …' },
  ]),
);

test('a number that is too large is refused, not stored as null', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  await cluster.apply(free);
  const ask = askOf(cluster);
  const gadget = (name: string, spec: string) =>
    `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"${name}"},"spec":${spec}}`;
  for (const [spec, status] of [
    ['1e400', 400],
    ['[-1E+999]', 400],
    ['9'.repeat(310), 400],
    ['"1e400"', 201],
    ['1e300', 201],
    ['1e-400', 201],
  ] as const) {
    const answer = await ask(`POST ${gadgets}?dryRun=All`, gadget('a', spec));
    t.is(answer.status, status, `${spec}: ${answer.text}`);
    if (status === 400) t.regex(answer.text, /json: cannot unmarshal number \S+ into Go value of type float64/);
  }
});

test('protobuf of the wrong shape is refused', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const send = async (raw: readonly number[]) => {
    const head = bytes('k8s\0', [0x0a, 15, 0x0a, 2], 'v1', [0x12, 9], 'ConfigMap', [0x12, raw.length]);
    const { statusCode, body } = await request(cluster.url + maps, {
      dispatcher: cluster.dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: Buffer.concat([head, Buffer.from(raw)]),
    });
    await body.dump();
    return statusCode;
  };
  t.is(await send([0x0a, 3, 0x0a, 1, 0x61]), 201);
  for (const raw of [
    [0x08, 1], // metadata as a number
    [2, 0], // field 0
    [0x0a, 5], // cut short
    [0x0a, 2, 0x0a, 9], // a length beyond the end
    [0x0a, 2, 0x08, 1], // a name as a number
    [0x0c], // the end of no group
  ])
    t.is(await send(raw), 400, String(raw));
});

test('a webhook that does not stop answering is stopped', async (t) => {
  const chunk = Buffer.alloc(1 << 20, ' ');
  const server = createServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent();
  t.teardown(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = postReview({ url, authority: '', timeout: 30 }, {}, { hasService: () => true, agent });
  await t.throwsAsync(answer, { message: /the answer is larger than \d+ bytes$/ });
});

test('time grows as the number of values, however long their enum', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const items = { type: 'string', enum: names(4000) };
  await cluster.apply(aDefinition({ type: 'object', properties: { spec: { type: 'array', items } } }));
  const ask = askOf(cluster);
  const last = `"n3999"`;
  const taking = async (value: string, count: number): Promise<number> => {
    const spec = Array.from({ length: count }, () => value).join();
    const body = `{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"name":"a"},"spec":[${spec}]}`;
    const before = process.threadCpuUsage();
    t.is((await ask(`POST ${gadgets}?dryRun=All`, body)).status, 201);
    const { user } = process.threadCpuUsage(before);
    return user;
  };
  await taking(last, 4000);
  const [first, end] = [await taking('"n0"', 4000), await taking(last, 4000)];
  t.true(end < 8 * first + 20_000, `the last of an enum takes ${end} µs, the first ${first}`);
});

test("time grows as the operations of a webhook's patch", async (t) => {
  const url = 'https://patching.example.com/';
  let count = 0;
  const patching = () => {
    const operations = Array.from({ length: count }, (_, index) => ({
      op: 'add',
      path: `/data/k${index}`,
      value: 'v',
    }));
    return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
  };
  const cluster = await createCluster({ webhooks: { [url]: patching } });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  await ask('POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    metadata: { name: 'patching' },
    webhooks: [
      {
        name: 'patching.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
    ],
  });
  const growth = await excessiveGrowth(
    (size) => async () => {
      count = size;
      t.is((await ask(`POST ${maps}?dryRun=All`, { metadata: { name: 'a' }, data: { x: '' } })).status, 201);
    },
    { size: 9600, shares: 16 },
  );
  t.is(growth, undefined);
});
