import test from 'ava';
import { createCluster } from '../../../../cluster/cluster.ts';
import { askOf } from '../../fixtures/ask.ts';
import { answersAsReal, type ExpectedAnswer } from '../../fixtures/expected-answers.ts';

const pods = '/api/v1/namespaces/default/pods';
const type = 'application/strategic-merge-patch+json';

const pod = (name: string, more: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: {
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }],
    initContainers: [
      { name: 'n', image: 'i' },
      { name: 's', image: 'i', restartPolicy: 'Always' },
    ],
    ...more,
  },
});

const before = [
  [`POST ${pods}`, pod('p')],
  [`POST ${pods}`, pod('static', { nodeName: 'a' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } })],
] as const;

const writes =
  (part: string, name = 'p') =>
  (body: object, answer: string, like?: object): ExpectedAnswer => ({
    ask: `PATCH ${pods}/${name}/${part}`,
    type,
    body,
    answer: answer === '200' ? answer : `422 Pod "${name}" is invalid: ${answer}`,
    ...(like !== undefined && { like }),
  });

const command = { exec: { command: ['a'] } };
const added = (...ephemeralContainers: readonly object[]) => ({ spec: { ephemeralContainers } });

test('adds containers to pods by their subresource alone, and leaves those that are there', async (t) => {
  const debug = writes('ephemeralcontainers');
  const notSet = (field: string) =>
    `spec.ephemeralContainers[0].${field}: Forbidden: cannot be set for an Ephemeral Container`;
  await answersAsReal({ before }, [
    {
      ask: `POST ${pods}`,
      body: pod('q', added({ name: 'e', image: 'i' }).spec),
      answer: '422 Pod "q" is invalid: spec.ephemeralContainers: Forbidden: cannot be set on create',
    },
    debug(
      {
        metadata: { labels: { x: 'y' } },
        spec: { nodeName: 'x', ...added({ name: 'e', image: 'i', targetContainerName: 'c' }).spec },
      },
      '200',
      { metadata: { generation: 2 }, spec: { ephemeralContainers: [{ name: 'e', imagePullPolicy: 'Always' }] } },
    ),
    debug(
      added({
        ...{ name: 'f', image: 'i', targetContainerName: 'zz', ports: [{ containerPort: 1 }] },
        ...{ resources: { requests: { cpu: '1' } }, livenessProbe: command, lifecycle: { preStop: command } },
      }),
      `[spec.ephemeralContainers[0].targetContainerName: Not found: "zz", ${['ports', 'resources', 'livenessProbe', 'lifecycle'].map(notSet).join(', ')}]`,
    ),
    debug(added({ name: 'c', image: 'i' }), 'spec.ephemeralContainers[0].name: Duplicate value: "c"'),
    debug(added({ name: 'g' }), 'spec.ephemeralContainers[0].image: Required value'),
    debug(
      added({ name: 'e', image: 'j' }),
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be changed\n…',
    ),
    debug(
      added({ name: 'e', $patch: 'delete' }),
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed\n',
    ),
    {
      ask: `PATCH ${pods}/p`,
      type,
      body: added({ name: 'h', image: 'i' }),
      answer: '422 Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than …',
    },
    { ask: `GET ${pods}/p`, answer: '200', like: { metadata: { labels: undefined }, spec: { nodeName: undefined } } },
    writes('ephemeralcontainers', 'static')(
      added({ name: 'g', image: 'i' }),
      '[]: Forbidden: static pods do not support ephemeral containers',
    ),
  ])(t);
});

const sized = (resources: object) => ({ spec: { containers: [{ name: 'c', resources }] } });
const prepared = (name: string, resources: object) => ({ spec: { initContainers: [{ name, resources }] } });
const onlySizes = 'spec: Forbidden: only cpu and memory resources are mutable';

test('resizes containers by their subresource alone: cpu and memory, within the class of the pod', async (t) => {
  const resize = writes('resize');
  await answersAsReal({ before }, [
    resize(
      { metadata: { labels: { x: 'y' } }, spec: { nodeName: 'x', ...sized({ requests: { cpu: '2' } }).spec } },
      '200',
      {
        metadata: { generation: 2, labels: undefined },
        spec: { nodeName: undefined, containers: [{ resources: { requests: { cpu: '2' } } }] },
      },
    ),
    resize(
      sized({ requests: { cpu: null } }),
      '[spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed]',
    ),
    resize(sized({ requests: { 'ephemeral-storage': '1Gi' } }), onlySizes),
    resize(sized({ limits: { cpu: '2' } }), '200'),
    resize(
      {
        spec: {
          containers: [{ name: 'c', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }],
        },
      },
      onlySizes,
    ),
    resize(
      { spec: { containers: [{ name: 'd', image: 'i' }] } },
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    ),
    resize(
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'd' }],
          containers: [
            { name: 'c', $patch: 'delete' },
            { name: 'd', image: 'i' },
          ],
        },
      },
      '[spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing, spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize]',
    ),
    resize(
      prepared('n', { requests: { cpu: '2' } }),
      'spec: Forbidden: resources for non-sidecar init containers are immutable',
    ),
    resize(prepared('s', { requests: { cpu: '2' } }), '200', { metadata: { generation: 4 } }),
    writes('resize', 'static')(sized({ requests: { cpu: '2' } }), '[]: Forbidden: static pods cannot be resized'),
  ])(t);
});

test('resizes no container whose node does not tell how large it is', async (t) => {
  await answersAsReal({ before }, [
    {
      ask: `PATCH ${pods}/p/status`,
      type,
      body: {
        status: {
          containerStatuses: [
            { name: 'c', image: 'i', imageID: 'i', ready: true, restartCount: 0, state: { running: {} } },
          ],
        },
      },
      answer: '200',
    },
    writes('resize')(
      sized({ requests: { cpu: '1' } }),
      'spec: Forbidden: Pod running on node without support for resize',
    ),
  ])(t);
});

test('containers of a pod that runs grow, and those that are added to it run', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const podNow = async () => (await ask(`GET ${pods}/p`)).body as { status: Record<string, readonly unknown[]> };
  await ask(`POST ${pods}`, pod('p'));
  await cluster.settle();
  for (const [part, body] of [
    ['resize', sized({ requests: { cpu: '2' } })],
    ['ephemeralcontainers', added({ name: 'e', image: 'i' })],
  ] as const) {
    t.is((await ask(`PATCH ${pods}/p/${part}`, body, { 'content-type': type })).status, 200, part);
  }
  await cluster.settle();
  const { status } = await podNow();
  t.like(status.containerStatuses?.[0], { resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '2' } });
  t.like(status.ephemeralContainerStatuses?.[0], { name: 'e', ready: false });
});
