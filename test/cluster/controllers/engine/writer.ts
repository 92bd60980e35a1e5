/** Writes of controllers, sent as API requests. */

import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { pathOf } from '../../objects/admin-client.ts';
import type { Handler } from '../../requests/message.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { EventReport, Write } from './reconciler.ts';
import { createRecorder } from './recorder.ts';

/** Sends writes as requests to the server, so that defaulting, admission and field managers apply as for any client. */
export interface Writer {
  /** Sends one write and records its Event. Rejects with a StatusError when the server refuses. */
  write(write: Write): Promise<void>;
}

/** Options of {@link createWriter}. */
export interface WriterOptions {
  readonly server: ServerContext;
  readonly handle: Handler;
  /** Component name, such as `deployment-controller`. */
  readonly component: string;
  /** User agent, such as `kube-controller-manager`. */
  readonly manager: string;
  /** Enables recording of Events. */
  readonly events: boolean;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly body: object;
  readonly type?: string;
}

/** Object with the fields that locate its resource. */
interface WriteTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
}

/** Returns the request of a write; `collectionOf` maps an object to the path of its collection. */
function requestOf(write: Exclude<Write, { do: 'event' }>, collectionOf: (object: WriteTarget) => string): Request {
  if (write.do === 'create') return { method: 'POST', url: collectionOf(write.object), body: write.object };
  const { object } = write;
  const { name, namespace, uid } = object.metadata;
  const place = `${collectionOf(object as unknown as WriteTarget)}/${name}`;
  if (write.do === 'update') {
    const url = write.subresource === undefined ? place : `${place}/${write.subresource}`;
    return { method: 'PUT', url, body: object };
  }
  if (write.do === 'bind') {
    const target = { apiVersion: 'v1', kind: 'Node', name: write.nodeName };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
    return { method: 'POST', url: `${place}/binding`, body };
  }
  const preconditions = { uid };
  return { method: 'DELETE', url: place, body: { propagationPolicy: 'Background', preconditions, ...write.options } };
}

/** Creates a writer with administrator rights, under the name of its component. */
export function createWriter({ server, handle, component, manager, events }: WriterOptions): Writer {
  const { registry, clock, version, random } = server;
  const record = createRecorder(component, random);
  const user = {
    name: `system:serviceaccount:kube-system:${component}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:masters', 'system:authenticated'],
  };
  const userAgent = `${manager}/${version}`;

  const send = async ({ method, url, body, type = 'application/json' }: Request): Promise<ApiObject> => {
    const headers = { 'content-type': type, 'user-agent': userAgent, accept: 'application/json' };
    const response = await handle({ method, url, headers, body: Buffer.from(JSON.stringify(body)), user });
    const answer = JSON.parse(response.body.toString()) as Fields;
    if (answer.kind === 'Status' && answer.status === 'Failure') throw new StatusError(answer);
    return answer as unknown as ApiObject;
  };
  const collectionOf = (object: WriteTarget): string =>
    pathOf(registry.ofKind(object)!, String(object.metadata.namespace ?? 'default'));

  const report = async (event: EventReport): Promise<void> => {
    if (!events) return;
    const { namespace, name, known, body } = record(event, clock.now());
    const url = `/api/v1/namespaces/${namespace}/events`;
    const request = known
      ? { method: 'PATCH', url: `${url}/${name}`, body, type: 'application/merge-patch+json' }
      : { method: 'POST', url, body };
    // Events are best effort: a deleted Event or a terminating namespace is not an error.
    await send(request).catch(() => {});
  };
  return {
    async write(write) {
      if (write.do === 'event') return report(write.event);
      try {
        const result = await send(requestOf(write, collectionOf));
        if (write.report !== undefined) await report(write.report(result));
      } catch (error) {
        if (error instanceof StatusError && write.reportRefusal !== undefined)
          await report(write.reportRefusal(error.message));
        throw error;
      }
    },
  };
}
