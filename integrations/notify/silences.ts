/** Silences of an Alertmanager, by its API v2. */

import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { httpApi } from '../http-api.ts';

/** Label of the alerts that a silence is for, with the one value that it has. */
export interface SilencedLabel {
  /** Begins with `~` where another client has asked for another comparison than equality. */
  readonly name: string;
  readonly value: string;
}

/** Desired silence. */
export interface NewSilence {
  readonly labels: readonly SilencedLabel[];
  readonly comment: string;
  readonly createdBy: string;
  /** ms since 1970 */
  readonly endsAt: number;
}

/** Silence as the Alertmanager has it. */
export interface FoundSilence extends NewSilence {
  readonly id: string;
  /** RFC 3339 */
  readonly startsAt: string;
  /** False once it has ended, by time or by hand. */
  readonly isActive: boolean;
}

/** Operations on an Alertmanager. */
export interface Silences {
  /** Returns all silences, ended ones too while the server keeps them. */
  list(signal: AbortSignal): Promise<readonly FoundSilence[]>;
  /** Reads a silence; undefined when there is none. */
  read(id: string, signal: AbortSignal): Promise<FoundSilence | undefined>;
  /** Creates a silence. @returns its id */
  create(silence: NewSilence, signal: AbortSignal): Promise<string>;
  /** Puts another comment on an active silence. */
  comment(silence: FoundSilence, comment: string, signal: AbortSignal): Promise<void>;
  /** Ends a silence. @throws Error when there is none */
  expire(id: string, signal: AbortSignal): Promise<void>;
}

/** Address, credential and bounds of an Alertmanager. */
export interface SilencesOptions {
  readonly url: string;
  /** Value of the header `Authorization`; undefined for none. */
  readonly authorization: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
}

/** Longest list in bytes: some ten thousand silences. */
const maxListLength = 16 * 2 ** 20;
const concurrency = 4;

const advice = {
  401: 'check options token and basic',
  403: 'check the rights of option token or basic',
  404: 'check option url',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Start of all silences: the server puts its own time in place of a past one, so that clocks need not agree. */
const longAgo = '2000-01-01T00:00:00.000Z';

function labelOf(matcher: unknown): SilencedLabel {
  const { name, value, isRegex, isEqual } = isObject(matcher) ? matcher : {};
  return { name: `${isRegex === true || isEqual === false ? '~' : ''}${name}`, value: String(value) };
}

/** Reads a silence. @throws Error when it is none */
function silenceOf(value: unknown): FoundSilence {
  const { id, status, comment, createdBy, startsAt, endsAt, matchers } = isObject(value) ? value : {};
  const ends = Date.parse(String(endsAt));
  if (typeof id !== 'string' || typeof comment !== 'string' || !Number.isFinite(ends) || !Array.isArray(matchers))
    throw new Error('Alertmanager: returned a silence without id, comment, endsAt or matchers');
  return {
    id,
    comment,
    createdBy: String(createdBy),
    startsAt: String(startsAt),
    endsAt: ends,
    isActive: isObject(status) && status.state !== 'expired',
    labels: matchers.map(labelOf),
  };
}

const matchersOf = (labels: readonly SilencedLabel[]) =>
  labels.map((label) => ({ ...label, isRegex: false, isEqual: true }));

/** Creates a client; it holds no connection of its own. */
export function silencesAt({ url, authorization, ...options }: SilencesOptions): Silences {
  const api = httpApi({
    ...options,
    vendor: 'Alertmanager',
    url: `${url}/api/v2`,
    headers: authorization === undefined ? {} : { authorization },
    concurrency,
    maxBody: maxListLength,
    reasonOf: (body) => {
      if (typeof body === 'string') return body;
      return isObject(body) && typeof body.message === 'string' ? body.message : undefined;
    },
    advice,
  });
  const put = async (silence: object, signal: AbortSignal): Promise<string> => {
    const { body } = await api.request({ method: 'POST', path: '/silences', body: silence, signal });
    if (!isObject(body) || typeof body.silenceID !== 'string') throw new Error('Alertmanager: returned no silenceID');
    return body.silenceID;
  };
  const pathOf = (id: string): string => `/silence/${encodeURIComponent(id)}`;
  return {
    async list(signal) {
      const { body } = await api.request({ method: 'GET', path: '/silences', signal });
      if (!Array.isArray(body)) throw new Error('Alertmanager: returned no list of silences');
      return body.map(silenceOf);
    },
    async read(id, signal) {
      const { status, body } = await api.request({ method: 'GET', path: pathOf(id), signal, expected: [404] });
      if (status !== 404) return silenceOf(body);
      await api.request({ method: 'GET', path: '/status', signal }); // fails if another program answers
      return undefined;
    },
    create: ({ labels, endsAt, ...silence }, signal) =>
      put(
        {
          ...silence,
          matchers: matchersOf(labels),
          startsAt: longAgo,
          endsAt: new Date(endsAt).toISOString(),
        },
        signal,
      ),
    async comment({ isActive, labels, endsAt, ...silence }, comment, signal) {
      if (!isActive) throw new DefiniteError(`the silence ${silence.id} has ended`);
      await put({ ...silence, comment, matchers: matchersOf(labels), endsAt: new Date(endsAt).toISOString() }, signal);
    },
    async expire(id, signal) {
      await api.request({ method: 'DELETE', path: pathOf(id), signal });
    },
  };
}
