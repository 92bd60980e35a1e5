/** Stand-in for the third party, in memory: for the tests, and for `npm start` until a real one is configured. */

import type { AcmeBoxObject } from './acme-box-api.ts';

/** Third party in memory. */
export interface AcmeBoxStandIn {
  /** Responds like the real service. */
  readonly fetch: typeof globalThis.fetch;
  objects(): readonly AcmeBoxObject[];
  /** Changes all objects from outside, as another client would. */
  causeDrift(): void;
}

/**
 * Starts an empty third party: `POST /objects` (409 when the name is taken; the first answer again for a known idempotency key), `GET /objects?name=`
 * and `?tag=`, `GET`, `PATCH` and `DELETE /objects/ID`. Make it respond like your service: the tests are only as good as this file.
 */
export function createAcmeBoxStandIn(): AcmeBoxStandIn {
  const objects = new Map<string, AcmeBoxObject>();
  const idsByKey = new Map<string, string>();
  let count = 0;

  const create = (body: Omit<AcmeBoxObject, 'id'>, key: string | null): readonly [number, unknown] => {
    const known = objects.get(idsByKey.get(key ?? '') ?? '');
    if (known !== undefined) return [200, known];
    const taken = [...objects.values()].some(({ name }) => name !== undefined && name === body.name);
    if (taken) return [409, { error: `${body.name} is taken` }];
    count += 1;
    const created = { ...body, id: `object-${count}` };
    objects.set(created.id, created);
    if (key !== null) idsByKey.set(key, created.id);
    return [201, created];
  };

  const answer = (method: string, url: URL, init: RequestInit): readonly [number, unknown] => {
    const body = JSON.parse(String(init.body ?? '{}')) as Omit<AcmeBoxObject, 'id'>;
    if (url.pathname === '/objects') {
      if (method === 'POST') return create(body, new Headers(init.headers).get('idempotency-key'));
      const [[by, value] = []] = url.searchParams;
      return [200, [...objects.values()].filter((object) => object[by as 'name' | 'tag'] === value)];
    }
    const object = objects.get(url.pathname.slice('/objects/'.length));
    if (object === undefined) return [404, { error: 'no such object' }];
    if (method === 'DELETE') objects.delete(object.id);
    if (method === 'PATCH') objects.set(object.id, { ...object, ...body });
    return [200, objects.get(object.id) ?? {}];
  };

  return {
    async fetch(input, init = {}) {
      const [status, body] = answer(init.method ?? 'GET', new URL(String(input)), init);
      return Response.json(body, { status });
    },
    objects: () => [...objects.values()],
    causeDrift() {
      for (const [id, object] of objects) objects.set(id, { ...object, text: 'changed from outside' });
    },
  };
}

/** The one of `npm start`: it stands here, not in the config, so that its objects stay when other files change. */
export const localAcmeBox = createAcmeBoxStandIn();
