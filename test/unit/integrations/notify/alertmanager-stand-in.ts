/** Stand-in of an Alertmanager's API v2, held to the real one by `alertmanager.real.ts`. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../sdk/index.ts';
import type { Thing } from '../../../compliance/index.ts';

/** Silence as the API shows it. */
export interface StoredSilence {
  readonly id: string;
  readonly comment: string;
  readonly createdBy: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly matchers: readonly {
    readonly name: string;
    readonly value: string;
    readonly isRegex: boolean;
    readonly isEqual: boolean;
  }[];
}

/** Silence with its state. */
export type ShownSilence = StoredSilence & { readonly status: { readonly state: 'active' | 'expired' } };

/** Alertmanager in memory. */
export interface AlertmanagerStandIn {
  readonly fetch: typeof globalThis.fetch;
  silences(): readonly ShownSilence[];
  /** Ends a silence, as a person does. */
  expire(id: string): void;
  /** Forgets all silences, as one does that starts without its files. */
  clear(): void;
}

/** Creates one without silences. */
export function alertmanagerStandIn(clock: Pick<Clock, 'now'>, authorization?: string): AlertmanagerStandIn {
  const stored = new Map<string, StoredSilence>();
  const time = (): string => new Date(clock.now()).toISOString();
  const shown = (one: StoredSilence): ShownSilence => ({
    ...one,
    status: { state: Date.parse(one.endsAt) > clock.now() ? 'active' : 'expired' },
  });
  const expire = (id: string): void => {
    const silence = stored.get(id);
    if (silence !== undefined && shown(silence).status.state === 'active')
      stored.set(id, { ...silence, endsAt: time() });
  };
  const put = ({ id, ...asked }: StoredSilence): Response => {
    const former = stored.get(id);
    if (id !== undefined && former === undefined) return Response.json('silence not found', { status: 404 });
    if (asked.matchers.length === 0)
      return Response.json({ code: 612, message: 'matchers in body should have at least 1 items' }, { status: 422 });
    if (asked.matchers.every(({ value }) => value === ''))
      return Response.json('silence invalid: at least one matcher must not match the empty string', { status: 400 });
    const isSame =
      former !== undefined &&
      shown(former).status.state === 'active' &&
      JSON.stringify(former.matchers) === JSON.stringify(asked.matchers);
    if (former !== undefined && !isSame) expire(id);
    const key = isSame ? id : randomUUID();
    stored.set(key, { ...asked, id: key, startsAt: isSame ? former.startsAt : time() });
    return Response.json({ silenceID: key });
  };
  const ofOne = (method: string, silence: StoredSilence | undefined): Response => {
    if (method === 'GET')
      return silence === undefined ? new Response(null, { status: 404 }) : Response.json(shown(silence));
    if (silence === undefined) return Response.json('silence not found', { status: 500 });
    expire(silence.id);
    return new Response(null);
  };
  return {
    silences: () => [...stored.values()].map(shown),
    expire,
    clear: () => stored.clear(),
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if ((request.headers.get('authorization') ?? undefined) !== authorization)
        return new Response('Unauthorized', { status: 401 });
      if (pathname === '/api/v2/status') return Response.json({ cluster: { status: 'disabled' } });
      if (pathname === '/api/v2/silences' && request.method === 'POST')
        return put((await request.json()) as StoredSilence);
      if (pathname === '/api/v2/silences') return Response.json([...stored.values()].map(shown));
      return ofOne(request.method, stored.get(/^\/api\/v2\/silence\/(.+)$/.exec(pathname)?.[1] ?? ''));
    },
  };
}

/** Describes the active silences in words that are the same in every life: in real time each has a namespace of its own. */
export const activeSilences = (all: readonly ShownSilence[]): readonly Thing[] =>
  all
    .filter(({ status }) => status.state === 'active')
    .map(({ id, comment, matchers }) => {
      const labels = matchers.map(({ name, value }) => `${name}=${value}`).sort();
      const words = `${comment.replace(/ \(until .*/, '')}: ${labels.join(', ')}`;
      return { id, what: words.replaceAll(/scenario-[0-9a-f]+/g, 'scenario') };
    });
