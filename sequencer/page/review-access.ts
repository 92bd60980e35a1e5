/** Access to the page by the API server's own authentication and authorization. */

import { createHash } from 'node:crypto';
import { type Client, type Clock, Event, Workspace } from '../../sdk/index.ts';
import type { PageAccess, Viewer } from './page-access.ts';

/** Options of {@link accessByReview}. */
export interface ReviewOptions {
  readonly client: Pick<Client, 'raw'>;
  readonly clock: Clock;
  /** Namespace of the workspaces; a user who may list them sees the complete page. @default all */
  readonly namespace?: string | undefined;
}

/** User of a TokenReview. */
interface ReviewedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Cache times in ms of granted rights and valid tokens, and of refused ones. */
const cacheTimes = { yes: 60_000, no: 10_000 };
/** Maximum number of cached responses and of concurrent token reviews. */
const max = { tokens: 1000, rights: 2000, reviews: 8 };

/** Cache of responses with a time to live; concurrent requests for one key share a call. Failures are not cached. */
class TimedCache<T> {
  readonly #responses = new Map<string, { readonly answer: Promise<T>; until: number }>();
  readonly #limit: number;
  readonly #clock: Clock;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get(key: string, fetchAnswer: () => Promise<T>): Promise<T> {
    const known = this.#responses.get(key);
    if (known !== undefined && known.until > this.#clock.monotonic()) return known.answer;
    const entry = { answer: fetchAnswer(), until: Number.POSITIVE_INFINITY };
    this.#responses.delete(key);
    this.#responses.set(key, entry);
    if (this.#responses.size > this.#limit) this.#responses.delete(this.#responses.keys().next().value ?? '');
    entry.answer.then(
      (answer) => {
        entry.until = this.#clock.monotonic() + (answer ? cacheTimes.yes : cacheTimes.no);
      },
      () => {
        if (this.#responses.get(key) === entry) this.#responses.delete(key);
      },
    );
    return entry.answer;
  }
}

const review = (client: ReviewOptions['client'], [group, kind, path]: readonly string[], spec: object) =>
  client.raw('POST', `/apis/${group}/v1/${path}`, { apiVersion: `${group}/v1`, kind, spec }) as Promise<{
    readonly status?: { readonly authenticated?: boolean; readonly allowed?: boolean; readonly user?: ReviewedUser };
  }>;

/** Returns the viewer for a user; rights are reviewed on demand. */
function viewerOf({ username = '', ...user }: ReviewedUser, { client, clock, namespace: own }: ReviewOptions): Viewer {
  const rights = new TimedCache<boolean>(max.rights, clock);
  const mayList = ({ group, plural }: { group: string; plural: string }, namespace: string | undefined) =>
    rights.get(`${plural} ${namespace}`, async () => {
      const resourceAttributes = {
        group,
        resource: plural,
        verb: 'list',
        ...(namespace !== undefined && { namespace }),
      };
      const reviews = ['authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews'];
      const { status } = await review(client, reviews, { user: username, ...user, resourceAttributes });
      return status?.allowed === true;
    });
  return {
    name: username,
    mayList: (namespace = own) => mayList(Workspace, namespace),
    mayListEvents: (namespace) => mayList(Event, namespace),
  };
}

/**
 * Authenticates users by a bearer token that the API server accepts, and authorizes them for the workspaces that they may list. Responses are cached
 * for a minute.
 * # Guarantees
 * Without a response of the API server all users are refused. At most eight tokens are reviewed at a time.
 */
export function accessByReview(options: ReviewOptions): PageAccess {
  const { client, clock } = options;
  const viewers = new TimedCache<Viewer | undefined>(max.tokens, clock);
  let reviews = 0;
  return {
    admit: (token) =>
      viewers.get(createHash('sha256').update(token).digest('base64'), async () => {
        if (reviews >= max.reviews) throw new Error('too many sign-ins at a time: try again');
        reviews += 1;
        try {
          const { status } = await review(client, ['authentication.k8s.io', 'TokenReview', 'tokenreviews'], { token });
          const { username } = status?.user ?? {};
          return status?.authenticated === true && username ? viewerOf(status.user ?? {}, options) : undefined;
        } finally {
          reviews -= 1;
        }
      }),
  };
}
