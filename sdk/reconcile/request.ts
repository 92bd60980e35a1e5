import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import { Store } from '../client/store.ts';
import { systemClock } from '../clock.ts';
import type { Request, RequestContext, Run, RunLogger } from './reconciler.ts';

const silent = (): void => undefined;
const silence: RunLogger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };

/** Speaks through a child of a logger that is made for the first word: most runs say nothing. */
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

/** A run with what it has at hand: plain data, to be spread into requests that say more. */
export function requestOf<T extends KubeObject>(run: Run<T>, around: RequestContext<T>, logger?: Logger): Request<T> {
  const id = randomUUID();
  const own = logger === undefined ? silence : new LazyLogger(logger, { object: keyOf(run.key), run: id });
  return { ...run, ...around, id, logger: own };
}

/** What of a request is not as it usually is. */
export type RequestOptions<T extends KubeObject> = Partial<Omit<Run<T>, 'key' | 'object'> & RequestContext<T>> & {
  readonly logger?: Logger;
  /** The one that is kept for the reconciler. @default none: the models that clean up under a finalizer only do not */
  readonly finalizer?: string;
};

const noClient = new Proxy({} as Client, {
  get(_, member) {
    throw new TypeError(`this request was made without a client, and ${String(member)} was asked of it`);
  },
});

/**
 * The request of one run for `object` (or for what is gone, by its key): how a reconciler is called without an engine, in tests above all.
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
