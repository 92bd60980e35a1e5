/** Stand-in of Route 53's API for record sets, with AWS's refusals; `stand-in.test.ts` drives it with the official client. */

import type { Clock } from '../../../../sdk/index.ts';
import { answerOf, changesIn, refusalAnswer, setXml } from './messages.ts';
import { xml } from './xml.ts';
import { afterBatch, Refusal, type StoredSet, sortKey, storedName } from './zone-rules.ts';

/** Hosted zone of the stand-in. */
export interface StoredZone {
  readonly id: string;
  /** Without a trailing dot. */
  readonly name: string;
  readonly isPrivate?: boolean;
}

/** Options of the stand-in. */
export interface Route53StandInOptions {
  readonly zones: readonly StoredZone[];
  /** Id of the access key that is let in. */
  readonly accessKeyId: string;
  /** Refuses more than five requests in a second of this clock, as AWS does. @default it does not */
  readonly clock?: Clock;
  /** Questions about a change that are answered PENDING, as its first answer then is. @default none: INSYNC at once */
  readonly pending?: number;
}

/** Route 53 in memory. */
export interface Route53StandIn {
  readonly fetch: typeof globalThis.fetch;
  /** All record sets of all zones besides SOA and NS. */
  sets(): readonly StoredSet[];
  /** Carries out changes, as a person at the console does. @throws Refusal */
  change(
    ...changes: readonly (readonly [action: string, set: Omit<StoredSet, 'name'> & { readonly name: string }])[]
  ): void;
  /** Deletes all record sets, as a person at the console does. */
  clear(): void;
  /** Number of requests, and of those that were carried out changes. */
  readonly count: { requests: number; changes: number };
}

const namespace = 'https://route53.amazonaws.com/doc/2013-04-01/';
const documentOf = (name: string, content: readonly string[]): Response =>
  answerOf(`<${name} xmlns="${namespace}">${content.join('')}</${name}>`);

const changeInfo = (id: number, isPending: boolean): string =>
  xml('ChangeInfo', [
    xml('Id', `/change/C${id}`),
    xml('Status', isPending ? 'PENDING' : 'INSYNC'),
    xml('SubmittedAt', new Date(Date.UTC(2026, 0, 1) + id * 1_000).toISOString()),
  ]);

/** Answers a list of zones, in pages. */
function zonesPage(zones: readonly StoredZone[], query: URLSearchParams): Response {
  const size = Number(query.get('maxitems') ?? 100);
  const start = Math.max(
    0,
    zones.findIndex(({ id }) => id === query.get('marker')),
  );
  const next = zones[start + size];
  const items = zones
    .slice(start, start + size)
    .map(({ id, name, isPrivate = false }) =>
      xml('HostedZone', [
        xml('Id', `/hostedzone/${id}`),
        xml('Name', `${name}.`),
        xml('CallerReference', id),
        xml('Config', [xml('PrivateZone', isPrivate)]),
      ]),
    );
  return documentOf('ListHostedZonesResponse', [
    xml('HostedZones', items),
    xml('IsTruncated', next !== undefined),
    xml('NextMarker', next?.id),
    xml('MaxItems', size),
  ]);
}

/** Answers a list of sets, in pages. */
function setsPage(sets: readonly StoredSet[], query: URLSearchParams): Response {
  const [name, type, size] = [query.get('name'), query.get('type') ?? '', Number(query.get('maxitems') ?? 300)];
  const from = name === null ? '' : sortKey({ name: storedName(name), type });
  const found = sets.filter((set) => sortKey(set) >= from).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const next = found[size];
  return documentOf('ListResourceRecordSetsResponse', [
    xml('ResourceRecordSets', found.slice(0, size).map(setXml)),
    xml('IsTruncated', next !== undefined),
    xml('NextRecordName', next?.name),
    xml('NextRecordType', next?.type),
    xml('MaxItems', size),
  ]);
}

/** Returns the function that answers a question about a change, PENDING the first times. @throws Refusal */
function changeStates(pending: number, count: { readonly changes: number }): (id: number) => Response {
  const asked = new Map<number, number>();
  return (id) => {
    if (id < 1 || id > count.changes)
      throw new Refusal('NoSuchChange', `A change with the specified change ID does not exist: C${id}`, 404);
    asked.set(id, (asked.get(id) ?? 0) + 1);
    return documentOf('GetChangeResponse', [changeInfo(id, asked.get(id)! <= pending)]);
  };
}

/** Refuses more than five requests in a second of a clock. @throws Refusal */
function throttling(clock: Clock): () => void {
  let recent: readonly number[] = [];
  return () => {
    const now = clock.monotonic();
    recent = [...recent.filter((time) => time > now - 1_000), now];
    if (recent.length > 5) throw new Refusal('Throttling', 'Rate exceeded');
  };
}

/** Creates a server with these zones. */
export function route53StandIn({ zones, accessKeyId, clock, pending = 0 }: Route53StandInOptions): Route53StandIn {
  const stored = new Map<string, readonly StoredSet[]>(zones.map(({ id }) => [id, []]));
  const count = { requests: 0, changes: 0 };
  const busy = new Set<string>();
  const changeState = changeStates(pending, count);
  const throttle = clock === undefined ? undefined : throttling(clock);
  const changeZone = async ({ id, name }: StoredZone, body: string): Promise<Response> => {
    if (busy.has(id))
      throw new Refusal(
        'PriorRequestNotComplete',
        'The request was rejected because Route 53 was still processing a prior request.',
      );
    busy.add(id);
    try {
      await Promise.resolve();
      stored.set(id, afterBatch(`${name}.`, stored.get(id)!, changesIn(body)));
    } finally {
      busy.delete(id);
    }
    count.changes += 1;
    return documentOf('ChangeResourceRecordSetsResponse', [changeInfo(count.changes, pending > 0)]);
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    throttle?.();
    if (!request.headers.get('authorization')?.includes(`Credential=${accessKeyId}/`))
      throw new Refusal('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
    if (request.method === 'GET' && pathname === '/2013-04-01/hostedzone') return zonesPage(zones, searchParams);
    const change = /^\/2013-04-01\/change\/C(\d+)$/.exec(pathname);
    if (change !== null) return changeState(Number(change[1]));
    const [, id = ''] = /^\/2013-04-01\/hostedzone\/([^/]+)\/rrset\/?$/.exec(pathname) ?? [];
    const zone = zones.find((one) => one.id === id);
    if (zone === undefined) throw new Refusal('NoSuchHostedZone', `No hosted zone found with ID: ${id}`, 404);
    return request.method === 'GET' ? setsPage(stored.get(id)!, searchParams) : changeZone(zone, await request.text());
  };
  return {
    count,
    sets: () => [...stored.values()].flat(),
    change(...changes) {
      for (const [action, set] of changes) {
        const name = storedName(set.name);
        const zone = zones.find((one) => !one.isPrivate && name.endsWith(`.${one.name}.`))!;
        stored.set(zone.id, afterBatch(`${zone.name}.`, stored.get(zone.id)!, [{ action, set: { ...set, name } }]));
      }
    },
    clear() {
      for (const id of stored.keys()) stored.set(id, []);
    },
    async fetch(input, init) {
      count.requests += 1;
      try {
        return await answer(new Request(input, init));
      } catch (error) {
        if (error instanceof Refusal) return refusalAnswer(error);
        throw error;
      }
    },
  };
}
