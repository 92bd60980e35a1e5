/** Requests for reconcilers. */

import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import { Store } from '../client/cache/store.ts';
import type { Client } from '../client/client.ts';
import { systemClock } from '../clock.ts';
import type { Request, RequestContext, Run, RunLogger } from './reconciler.ts';

const noop = (): void => undefined;
const noopLogger: RunLogger = { trace: noop, debug: noop, info: noop, warn: noop, error: noop };

/** Logger that creates its child logger on first use, since most runs log nothing. */
class LazyLogger implements RunLogger {
  readonly #logger: Logger;
  readonly #bindings: Readonly<Record<string, string>>;
  #child: Logger | undefined;

  constructor(logger: Logger, bindings: Readonly<Record<string, string>>) {
    this.#logger = logger;
    this.#bindings = bindings;
  }

  trace(...words: readonly unknown[]): void {
    this.#log('trace', words);
  }

  debug(...words: readonly unknown[]): void {
    this.#log('debug', words);
  }

  info(...words: readonly unknown[]): void {
    this.#log('info', words);
  }

  warn(...words: readonly unknown[]): void {
    this.#log('warn', words);
  }

  error(...words: readonly unknown[]): void {
    this.#log('error', words);
  }

  #log(level: keyof RunLogger, words: readonly unknown[]): void {
    this.#child ??= this.#logger.child(this.#bindings);
    Reflect.apply(this.#child[level], this.#child, words);
  }
}

/** Creates the request of a run: a plain object, which wrappers may spread and extend. */
export function requestOf<T extends KubeObject>(run: Run<T>, context: RequestContext<T>, logger?: Logger): Request<T> {
  const id = crypto.randomUUID();
  const own = logger === undefined ? noopLogger : new LazyLogger(logger, { object: keyOf(run.key), run: id });
  return { ...run, ...context, id, logger: own, data: new Map() };
}

/** Overrides of {@link requestFor}. */
export type RequestOptions<T extends KubeObject> = Partial<Omit<Run<T>, 'key' | 'object'> & RequestContext<T>> & {
  readonly logger?: Logger;
  /** Finalizer that is kept for the reconciler. @default none: models that clean up under a finalizer skip the clean-up */
  readonly finalizer?: string;
};

const noClient = new Proxy({} as Client, {
  get(_, member) {
    throw new TypeError(`this request was made without a client, and ${String(member)} was asked of it`);
  },
});

/**
 * Creates a request for `object`, or for the key of a deleted one, to call a reconciler without an engine, mainly in tests.
 * By default it is the first attempt after the cause `updated`, with empty stores, without events and without a client.
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
      events: { event: noop },
      clock: systemClock,
      ...options,
    },
    logger,
  );
}
