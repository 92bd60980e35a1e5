/** Servers for tests of the SDK: in memory, or a namespace of the real one. */

import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Kind } from '../../../sdk/api/kind.ts';
import { Namespace } from '../../../sdk/api/kinds.ts';
import type { KubeObject, ObjectKey } from '../../../sdk/api/object.ts';
import type { Client } from '../../../sdk/client/client.ts';
import { loadConnection } from '../../../sdk/client/config/load-connection.ts';
import { createClient } from '../../../sdk/client/http/create-client.ts';
import { InvalidError } from '../../../sdk/errors.ts';
import { createCluster } from '../../cluster/index.ts';
import type { RealServer } from '../../system/real/server.ts';

/** A Kubernetes API with a namespace for one test. */
export interface AServer {
  readonly client: Client;
  readonly namespace: string;
  /** Returns the key of an object in that namespace. */
  key(name: string): ObjectKey;
}

const closing: (() => Promise<unknown>)[] = [];

test.after.always('servers stop', async () => {
  await Promise.all(closing.map((close) => close()));
});

/** Reports whether tests run on the real server, which `test/system/real/ava.config.mjs` requests. */
export const isReal = process.env.SERVERS_UNDER_TEST?.includes('kube-apiserver') ?? false;

/** A real server without controllers, like the in-memory ones here, and an administrator's client of it. */
export interface RealSubject {
  readonly server: RealServer;
  readonly client: Client;
}

async function startReal(): Promise<RealSubject> {
  const { startRealServer } = await import('../../system/real/server.ts');
  const server = await startRealServer({ controllers: false });
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  closing.push(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

let real: Promise<RealSubject> | undefined;

/** The real server that all tests of a process share; started on first use, stopped after the last test. */
export function theRealServer(): Promise<RealSubject> {
  real ??= startReal();
  return real;
}

/** Creates a namespace of the real server and returns its name. */
export async function aNamespace({ client }: RealSubject): Promise<string> {
  const name = `test-${randomUUID().slice(0, 8)}`;
  await client.create(Namespace, { metadata: { name } });
  return name;
}

async function inMemory(): Promise<AServer> {
  const cluster = await createCluster({ namespaceController: false, garbageCollector: false });
  closing.push(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  return { client, namespace: 'default', key: (name) => ({ namespace: 'default', name }) };
}

/** An in-memory cluster per call; under `test/system/real/ava.config.mjs` a new namespace on the real server that the file shares. */
export async function aServer(): Promise<AServer> {
  if (!isReal) return inMemory();
  const subject = await theRealServer();
  const namespace = await aNamespace(subject);
  const { client } = subject;
  return { client, namespace, key: (name) => ({ namespace, name }) };
}

const writing = ['create', 'update', 'patch', 'delete'];

/** The same client, which also records each write, such as `patch parents/a/status`. */
export const recording = (client: Client, writes: string[]): Client =>
  new Proxy(client, {
    get(target, member: keyof Client) {
      const method = target[member];
      if (typeof method !== 'function' || !writing.includes(member)) return method;
      return (...call: readonly [Kind, KubeObject | ObjectKey, ...{ readonly subresource?: string }[]]) => {
        const [kind, about, ...options] = call;
        const { name } = 'metadata' in about ? about.metadata : about;
        const subresource = options.find((option) => option?.subresource !== undefined)?.subresource;
        writes.push([`${member} ${kind.plural}`, name, subresource].filter(Boolean).join('/'));
        return (method as (...call: readonly unknown[]) => unknown)(...call);
      };
    },
  });

/** Wraps a client whose patches a webhook denies with 422: an answer without causes, as that to a failed `test`. */
export const denyingPatches = (client: Client): Client =>
  new Proxy(client, {
    get(target, member: keyof Client) {
      if (member !== 'patch') return target[member];
      const message = 'admission webhook "no-changes.example.com" denied the request';
      const request = { method: 'PATCH', path: '/x', server: 's' };
      return () => Promise.reject(new InvalidError({ kind: 'Status', apiVersion: 'v1', code: 422, message }, request));
    },
  });
