/** Example integration: short links of a third-party service. */

import {
  type Clock,
  defineIntegration,
  ExternalAlreadyExistsError,
  errorOfRequest,
  errorOfResponse,
  externalResource,
  type Integration,
  systemClock,
} from 'workspace-sequencer/sdk';
import * as z from 'zod';

/** Options of {@link shortLinks}. */
export interface ShortLinksOptions {
  readonly url: string;
  readonly token: string;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the system clock */
  readonly clock?: Clock;
}

/** Configuration in the workspace: `spec.integrations.short-links`. */
const settings = z.strictObject({
  slug: z.string().min(1).max(64),
  target: z.url().max(2_048),
});

interface Ask {
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object;
  readonly signal: AbortSignal;
  /** Status besides 200 to 299 that is not an error. */
  readonly expected?: number;
}

/** Integration that keeps one short link at the example service for each workspace that asks for it. */
export function shortLinks(options: ShortLinksOptions): Integration {
  const { url, token, fetch = globalThis.fetch, clock = systemClock } = options;
  const ask = async (path: string, { method, body, signal, expected }: Ask) => {
    const what = `${method ?? 'GET'} ${path}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: method ?? 'GET', headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}${path}`, request).catch((error: unknown) => {
      throw errorOfRequest(error, `${what}: no answer`);
    });
    if (answer.ok || answer.status === expected) return answer;
    throw errorOfResponse(answer, `${what}: HTTP ${answer.status}`, clock.now());
  };

  const link = externalResource<z.output<typeof settings>, { id: string }>({
    label: 'short link',
    identity: 'name',
    async find({ mark }, { signal }) {
      const found = await ask(`/links?label=${encodeURIComponent(mark)}`, { signal });
      const [first] = (await found.json()) as { readonly id: string }[];
      return first && { id: first.id };
    },
    async create(wanted, { owner, signal }) {
      const body = { ...wanted, label: owner.mark };
      const answer = await ask('/links', { method: 'POST', body, signal, expected: 409 });
      if (answer.status === 409) throw new ExternalAlreadyExistsError(`the slug ${wanted.slug} is taken`);
      return { id: { id: ((await answer.json()) as { readonly id: string }).id } };
    },
    async delete({ id }, { signal }) {
      await ask(`/links/${id}`, { method: 'DELETE', signal, expected: 404 });
    },
  });

  return defineIntegration({
    name: 'short-links',
    condition: 'ShortLink',
    settings,
    handles: ({ spec }) => spec.integrations?.['short-links'] !== undefined,
    connect: ({ controller }) => ({
      reconcile: (wanted) => controller.ensure(link, wanted),
      terminate: () => controller.destroy(link),
    }),
  });
}
