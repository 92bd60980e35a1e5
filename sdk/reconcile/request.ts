/** Creates requests for reconcilers. */

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import { Store } from '../client/cache/store.ts';
import type { Client } from '../client/client.ts';
import { systemClock } from '../clock.ts';
import type { Request, RequestContext, Run, RunLogger } from './reconciler.ts';

const silent = (): void => undefined;
const silence: RunLogger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };

/** Logger that creates its child logger on first use: most runs log nothing. */
class LazyLogger implements RunLogger {
  readonly #logger: Logger;
  readonly #bindings: Readonly<Record<string, string>>;
  #child: Logger | undefined;

  constructor(logger: Logger, bindings: Readonly<Record<string, string>>) {
    this.#logger = logger;
    this.#bindings = bindings;
  }

  trace(...words: readonly unknown[]): void {
    this.#say('trace', words);
  }

  debug(...words: readonly unknown[]): void {
    this.#say('debug', words);
  }

  info(...words: readonly unknown[]): void {
    this.#say('info', words);
  }

  warn(...words: readonly unknown[]): void {
    this.#say('warn', words);
  }

  error(...words: readonly unknown[]): void {
    this.#say('error', words);
  }

  #say(level: keyof RunLogger, words: readonly unknown[]): void {
    this.#child ??= this.#logger.child(this.#bindings);
    Reflect.apply(this.#child[level], this.#child, words);
  }
}

/** Returns the request of a run: plain data, which wrappers may spread and extend. */
export function requestOf<T extends KubeObject>(run: Run<T>, around: RequestContext<T>, logger?: Logger): Request<T> {
  const id = randomUUID();
  const own = logger === undefined ? silence : new LazyLogger(logger, { object: keyOf(run.key), run: id });
  return { ...run, ...around, id, logger: own, data: new Map() };
}

/** Overrides of {@link requestFor}. */
export type RequestOptions<T extends KubeObject> = Partial<Omit<Run<T>, 'key' | 'object'> & RequestContext<T>> & {
  readonly logger?: Logger;
  /** Finalizer that is kept for the reconciler. @default none: models that only clean up under a finalizer skip the clean-up */
  readonly finalizer?: string;
};

const noClient = new Proxy({} as Client, {
  get(_, member) {
    throw new TypeError(`this request was made without a client, and ${String(member)} was asked of it`);
  },
});

/**
 * Creates a request for `object` (or for one that is gone, by its key), to call a reconciler without an engine, mainly in tests.
 * By default the cause is `updated`, it is the first attempt, nothing is stored, events are dropped, and there is no client.
 */
export function requestFor<T extends KubeObject>(
  kind: Kind<T>,
  object: NoInfer<T> | ObjectKey,
  { logger, ...options }: RequestOptions<T> = {},
): Request<T> {
  const [key, found] = 'metadata' in object ? [objectKeyOf(object), object] : [object, undefined];
  return requestOf(
    {
      key,
      object: found,
      cause: options.cause ?? 'updated',
      attempt: 0,
      state: undefined,
      signal: new AbortController().signal,
      ...options,
    },
    {
      kind,
      client: noClient,
      stored: () => new Store(),
      events: { event: silent },
      clock: systemClock,
      ...options,
    },
    logger,
  );
}
