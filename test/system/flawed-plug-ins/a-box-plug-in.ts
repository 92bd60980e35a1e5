/** A plug-in that keeps boxes at the shop, without a flaw. */

import {
  type Clock,
  DefiniteError,
  defineIntegration,
  ExternalAlreadyExistsError,
  type ExternalResource,
  errorOfRequest,
  errorOfResponse,
  externalResource,
  type Integration,
} from '../../../sdk/index.ts';
import type { Box } from './a-box-shop.ts';

/** Secret that must never be logged or reported. */
export const token = 'tok/6f1c+9a=b';

/** Desired state of a workspace: `spec.integrations.boxes`, by name. */
export interface Wanted {
  readonly name: string;
  readonly size: number;
  readonly colour: string;
}

export type BoxId = { readonly id: number };
export type BoxResource = ExternalResource<Wanted, BoxId>;

export interface Ask {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly key?: string;
  /** Version of the document to be changed. */
  readonly version?: string;
}

/** Sends one request to the shop. */
export type Send = (path: string, ask?: Ask) => Promise<Response>;

/** Dependencies of one run of a plug-in. */
export interface Tools {
  readonly clock: Clock;
  /** Sends a request without checking the response. */
  readonly send: Send;
  /** Sends a request; throws the SDK's errors for responses that are neither successful nor expected. */
  ask(path: string, ask?: Ask & { readonly expected?: number }): Promise<Response>;
}

/** Returns the shop's client for one run. */
export function toolsOf(fetch: typeof globalThis.fetch, clock: Clock): Tools {
  const send: Send = (path, { method = 'GET', body, signal, key, version } = {}) =>
    fetch(`https://boxes.example${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key && { 'idempotency-key': key }),
        ...(version && { 'if-match': version }),
      },
      ...(signal && { signal }),
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    clock,
    send,
    async ask(path, { expected, ...ask } = {}) {
      const what = `${ask.method ?? 'GET'} ${path}`;
      const answer = await send(path, ask).catch((error: unknown) => {
        throw errorOfRequest(error, what);
      });
      if (answer.ok || answer.status === expected) return answer;
      throw errorOfResponse(answer, `${what}: HTTP ${answer.status}`, clock.now());
    },
  };
}

/** Returns the boxes of all pages of a list. */
export async function listed({ ask }: Tools, search: string, signal?: AbortSignal): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let page: number | undefined = 0; page !== undefined; ) {
    const answer = await ask(`/boxes?${search}&page=${page}`, signal && { signal });
    const { items, next } = (await answer.json()) as { items: readonly Box[]; next?: number };
    boxes.push(...items);
    page = next;
  }
  return boxes;
}

/** Returns the box of that id; undefined when there is none. */
export async function boxOf({ ask }: Tools, { id }: BoxId, signal: AbortSignal): Promise<Box | undefined> {
  const answer = await ask(`/boxes/${id}`, { signal, expected: 404 });
  if (answer.status === 404) return undefined;
  const box = (await answer.json()) as Partial<Box>;
  if (typeof box.id !== 'number') throw new Error(`GET /boxes/${id}: no box in the answer`);
  return box as Box;
}

/** A resource without a flaw. */
export function boxResource(tools: Tools, identity: BoxResource['identity'] = 'name'): BoxResource {
  const { ask } = tools;
  const finding: object =
    identity === 'name' || identity === 'tag'
      ? {
          find: async ({ mark }: { mark: string }, { signal }: { signal: AbortSignal }) => {
            const [box] = await listed(tools, `label=${encodeURIComponent(mark)}`, signal);
            return box && { id: box.id };
          },
        }
      : {};
  return externalResource<Wanted, BoxId>({
    label: 'box',
    nameOf: ({ name }) => name,
    identity,
    ...(identity === 'key' && { validForMs: 86_400_000 }),
    ...finding,
    async create(wanted, { owner, key, signal }) {
      const body = { ...wanted, label: owner.mark };
      const how = { method: 'POST', body, signal, expected: 409, ...(identity === 'key' && { key }) } as const;
      const answer = await ask('/boxes', how);
      if (answer.status === 409) throw new ExternalAlreadyExistsError(`${wanted.name} is taken`);
      return { id: { id: ((await answer.json()) as Box).id } };
    },
    async observe(id, { signal }) {
      const box = await boxOf(tools, id, signal);
      return box && { state: { name: box.name, size: box.size, colour: box.colour } };
    },
    async update({ id }, { size, colour }, { signal }) {
      await ask(`/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal });
    },
    async replaceMark({ id }, { owner, signal }) {
      await ask(`/boxes/${id}`, { method: 'PATCH', body: { label: owner.mark }, signal });
    },
    async delete(id, { signal }) {
      const answer = await ask(`/boxes/${id.id}`, { method: 'DELETE', signal, expected: 404 });
      if (answer.status !== 202) return 'gone';
      return (await boxOf(tools, id, signal)) === undefined ? 'gone' : 'deleting';
    },
    driftInterval: 60_000,
  } as BoxResource);
}

/** Parses the desired state of a spec. @throws DefiniteError when it is invalid */
export function wantedOf(spec: {
  readonly integrations?: Readonly<Record<string, unknown>> | undefined;
}): readonly Wanted[] {
  return Object.entries(spec.integrations?.boxes ?? {}).map(([name, { size, colour }]) => {
    if (typeof size !== 'number' || typeof colour !== 'string')
      throw new DefiniteError(`${name}: size and colour are needed`);
    return { name, size, colour };
  });
}

/** A plug-in that keeps the boxes of a resource. */
export const boxPlugIn = (resource: BoxResource, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: ({ spec }) => spec.integrations?.boxes !== undefined,
    connect: ({ workspace, controller }) => ({
      reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
      terminate: () => controller.destroy(resource),
    }),
    ...more,
  });
