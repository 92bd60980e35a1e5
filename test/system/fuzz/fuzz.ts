/** Fuzzes an in-memory cluster with random requests. */

import { setTimeout as later } from 'node:timers/promises';
import fc from 'fast-check';
import { request } from 'undici';
import { builtinTypes } from '../../cluster/apis/builtin-types.ts';
import { type Cluster, createCluster, createManualClock } from '../../cluster/index.ts';
import { createProtobufReader } from '../../cluster/record/read-protobuf.ts';
import { anyRequest, type FuzzRequest } from './arbitraries.ts';
import { found } from './found.ts';
import { type FuzzAnswer, faultOf } from './oracle.ts';
import { largePatch, ruleLife } from './rules.ts';

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size >= 0' }],
              properties: {
                size: { type: 'integer', default: 1 },
                parts: {
                  type: 'array',
                  'x-kubernetes-list-type': 'map',
                  'x-kubernetes-list-map-keys': ['name'],
                  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                },
              },
            },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    })),
  },
};

/** A cluster with objects in it, to be forked for each round. */
export async function createTarget(): Promise<Cluster> {
  const cluster = await createCluster({ clock: createManualClock() });
  await cluster.apply(gadgets);
  const metadata = { name: 'a', namespace: 'default' };
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: '1' } } as never);
  await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata, spec: { size: 1 } } as never);
  const containers = [{ name: 'c', image: 'i' }];
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } } as never);
  return cluster;
}

const protobuf = 'application/vnd.kubernetes.protobuf';
const reader = createProtobufReader(builtinTypes());

/** ms after which a request is given up: the clock stands still, and requests that wait for it never end. */
const maxWait = 5000;

/**
 * Sends a request in process; returns the immediate events of a watch, and protobuf answers as the equivalent JSON. Undefined: it waits for
 * the clock.
 */
export async function send(
  cluster: Cluster,
  { method, path, headers, body }: FuzzRequest,
): Promise<FuzzAnswer | undefined> {
  const signal = new AbortController();
  const asked = request(cluster.url + path, {
    dispatcher: cluster.dispatcher,
    method: method as 'GET',
    headers: { ...headers },
    body: body === undefined ? null : Buffer.from(body, 'base64'),
    signal: signal.signal,
  });
  asked.catch(() => {});
  const isWaiting = /resourceVersion=\d/.test(path);
  const response = await (isWaiting ? Promise.race([asked, later(50)]) : asked);
  if (response === undefined) {
    signal.abort();
    return undefined;
  }
  const contentType = String(response.headers['content-type'] ?? '');
  if (response.statusCode === 200 && /[?&]watch=|\/watch\//.test(path)) {
    response.body.on('error', () => {});
    response.body.destroy();
    return { status: 200, contentType, text: '' };
  }
  const bytes = Buffer.from(await response.body.arrayBuffer());
  if (contentType.startsWith(protobuf)) {
    const text = JSON.stringify(reader.object(bytes));
    return { status: response.statusCode, contentType: contentType.replace(protobuf, 'application/json'), text };
  }
  return { status: response.statusCode, contentType, text: bytes.toString() };
}

/** Sends requests, one after the other, to a fork; throws when an answer is wrong, or when the cluster fails afterwards. */
export async function round(target: Cluster, requests: readonly FuzzRequest[]): Promise<void> {
  const cluster = await target.fork();
  try {
    for (const one of [...requests, health]) {
      const answer = await Promise.race([send(cluster, one), later(maxWait, 'silence' as const, { ref: false })]);
      if (answer === 'silence') throw new Error(`no answer to ${JSON.stringify(one)}`);
      const fault = answer && faultOf(answer);
      if (fault !== undefined) {
        throw new Error(`${fault}: ${answer!.status} ${answer!.text.slice(0, 2000)} to ${JSON.stringify(one)}`);
      }
    }
    await cluster.settle();
    await later(0);
    if (cluster.openWatches > 0) throw new Error(`${cluster.openWatches} watches are open whose readers have gone`);
  } finally {
    await cluster.close();
  }
}

/** Requests that belong together; most are single. */
const some = fc.oneof(
  { weight: 12, arbitrary: anyRequest.map((request): readonly FuzzRequest[] => [request]) },
  { weight: 2, arbitrary: ruleLife },
  { weight: 1, arbitrary: largePatch.map((request): readonly FuzzRequest[] => [request]) },
);

const health: FuzzRequest = { method: 'GET', path: '/api/v1/namespaces/default/configmaps?limit=5', headers: {} };

/** Seed and duration of a run. */
export interface FuzzOptions {
  readonly seed: number;
  /** Duration, ms. */
  readonly duration: number;
}

/**
 * Sends random requests to a cluster for a while, those found earlier first. Resolves with the number of rounds. @throws Error with the
 * smallest failing requests, and the seed
 */
export async function fuzz({ seed, duration }: FuzzOptions): Promise<number> {
  const target = await createTarget();
  let rounds = 0;
  try {
    for (const requests of found) await round(target, requests);
    const property = fc.asyncProperty(fc.array(some, { minLength: 1, maxLength: 6 }), async (requests) => {
      rounds += 1;
      await round(target, requests.flat());
    });
    await fc.assert(property, {
      seed,
      includeErrorInReport: true,
      numRuns: 10_000_000,
      interruptAfterTimeLimit: duration,
      markInterruptAsFailure: false,
    });
    return rounds;
  } finally {
    await target.close();
  }
}
