/** Keeps the operator's seal up to date with the keys of its Secret. */

import type { Logger } from 'pino';
import { createSeal, loadSeal, readSeal, type Seal, sealSecretName } from '../../sdk/host/index.ts';
import {
  backoffDelay,
  backoffs,
  type Client,
  type Clock,
  group,
  keyOf,
  UnreachableError,
  UserError,
  type Workspace,
} from '../../sdk/index.ts';

/** Options of {@link operatorSeal}. */
export interface OperatorSealOptions {
  readonly client: Client;
  /** Namespace of the Secret `sequencer-seal`. */
  readonly operatorNamespace: string;
  /** Seal to use instead of the Secret's. */
  readonly seal?: Seal | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** Seal of one operator, without a key until it is loaded. */
export interface OperatorSeal {
  current(): Seal;
  /** Reads the keys of the Secret, with retries until the API server responds. @throws the refusal of the API server, or the signal's reason */
  load(signal: AbortSignal): Promise<void>;
  /** Reads the keys again periodically after they were loaded. Resolves when the signal aborts; a failure is logged and keeps the previous keys. */
  follow(signal: AbortSignal): Promise<void>;
  /**
   * Reads the keys of the Secret again if the workspace has a signature by an unknown key: the key may have been added since the last read. Such
   * reads are limited, for all workspaces together.
   * @returns ms until the workspace can be reconciled: 0 at once; more while an unknown key has not been looked up in the Secret yet
   */
  refreshFor(workspace: Workspace): Promise<number>;
}

/** ms between two periodic reads of the keys. */
const readInterval = 900_000;
/** Minimum ms between two reads of the keys. */
const minReadInterval = 60_000;
/** Warning about signatures by an unknown key: a removed key, the key of another operator, or a forgery. Logged at most once a minute. */
const untrustedMessage =
  'ids in annotations are not trusted: the key of their signature is not in the Secret of the seal';
/** Limit of the remembered ids of unknown keys. */
const maxUnknownKeys = 4096;

/** Returns the key id of the last signature in a text; undefined without one. */
function keyIdIn(text: string, mark: string): string | undefined {
  const at = text.lastIndexOf(mark);
  return at === -1 ? undefined : /^[\da-f]{8}(?=\.)/.exec(text.slice(at + mark.length, at + mark.length + 9))?.[0];
}

/** Returns the ids of unknown keys in the signatures of a workspace's annotations. Takes time linear in their size. */
export function unknownKeys(seal: Seal, { metadata }: Workspace): readonly string[] {
  const ids = Object.entries(metadata.annotations ?? {}).flatMap(([name, text]) => {
    if (name.startsWith(`external.${group}/`)) return keyIdIn(text, '"seal":"') ?? [];
    return name.startsWith(`resolve.${group}/`) ? (keyIdIn(text, ' seal=') ?? []) : [];
  });
  return ids.filter((id) => seal.verify('', `${id}.`) === 'unknown');
}

/** Advice for a Secret, or a key in it, that was removed while it was in use. */
const [secretGoneHint, keyLostHint] = [
  'restore it before the operator restarts: it would create a new key, and no earlier signature would be trusted',
  'add it again beside the new key: its signatures are not trusted without it',
];

/** Keys of the Secret, as last read. */
class SecretKeys {
  readonly #options: OperatorSealOptions;
  readonly #secret: string;
  #reading: Promise<void> | undefined;
  current: Seal;
  /** Time of the last read, monotonic ms. */
  lastRead: number;

  constructor(options: OperatorSealOptions) {
    this.#options = options;
    this.#secret = `${options.operatorNamespace}/${sealSecretName}`;
    this.current = options.seal ?? createSeal('', []);
    this.lastRead = options.clock.monotonic();
  }

  /** ms until the keys may be read again. */
  get wait(): number {
    if (this.#reading !== undefined) return 0;
    return Math.max(0, Math.ceil(this.lastRead + minReadInterval - this.#options.clock.monotonic()));
  }

  async load(signal: AbortSignal): Promise<void> {
    const { client, operatorNamespace, clock, logger } = this.#options;
    const secret = this.#secret;
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.lastRead = clock.monotonic();
        this.current = await loadSeal(client, operatorNamespace);
        if (this.current.sign('') === undefined)
          logger?.warn(
            { secret },
            'no right to get or create the Secret of the seal: ids in annotations are not trusted',
          );
        return;
      } catch (error) {
        if (!(error instanceof UnreachableError) || signal.aborted) throw error;
        logger?.warn({ err: error, secret }, 'the Secret of the seal cannot be read yet');
      }
      await clock.sleep(backoffDelay(backoffs.sealRead, attempt), signal);
    }
  }

  /** Reads the keys again; concurrent callers share one request. A failure is logged and keeps the keys. */
  readAgain(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { client, operatorNamespace, clock, logger } = this.#options;
    const secret = this.#secret;
    this.lastRead = clock.monotonic();
    try {
      const next = await readSeal(client, operatorNamespace, this.current.cluster);
      const signature = next?.sign('');
      const before = this.current.sign('');
      if (next === undefined || signature === undefined) {
        if (before !== undefined) logger?.warn({ secret, hint: secretGoneHint }, 'the Secret of the seal was deleted');
        return; // the Secret or the right to read it may come back
      }
      if (signature !== before) logger?.info({ secret }, 'the seal has a new key');
      if (before !== undefined && next.verify('', before) === 'unknown')
        logger?.warn({ secret, hint: keyLostHint }, 'the signing key was removed from the Secret of the seal');
      this.current = next;
    } catch (error) {
      const hint = error instanceof UserError ? error.hint : undefined;
      logger?.warn({ err: error, secret, hint }, 'the Secret of the seal cannot be read: its keys stay as they were');
    }
  }
}

/** The seal of the operator's own Secret. */
export function operatorSeal(options: OperatorSealOptions): OperatorSeal {
  const { seal, clock, logger } = options;
  const keys = new SecretKeys(options);
  const unknownIds = new Set<string>();
  return {
    current: () => keys.current,
    load: async (signal) => (seal === undefined ? keys.load(signal) : undefined),
    async follow(signal) {
      while (seal === undefined && !signal.aborted) {
        await clock.sleep(readInterval, signal).catch(() => undefined);
        if (!signal.aborted && keys.wait === 0) await keys.readAgain();
      }
    },
    async refreshFor(workspace) {
      const unknown = seal === undefined ? unknownKeys(keys.current, workspace) : [];
      if (unknown.length === 0) return 0;
      const { wait } = keys;
      if (wait > 0) return unknown.every((id) => unknownIds.has(id)) ? 0 : wait;
      await keys.readAgain();
      if (unknownIds.size > maxUnknownKeys) unknownIds.clear();
      const newIds = unknownKeys(keys.current, workspace).filter((id) => !unknownIds.has(id));
      for (const id of newIds) unknownIds.add(id);
      if (newIds.length > 0)
        logger?.warn({ workspace: keyOf(workspace.metadata), keys: newIds.slice(0, 3) }, untrustedMessage);
      return 0;
    },
  };
}

/** Calls `work` once the keys are loaded, and refreshes them while it runs. @throws the errors of `load` and `work` */
export async function whileRefreshed(
  seal: OperatorSeal,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  await seal.load(signal);
  const done = new AbortController();
  const following = seal.follow(AbortSignal.any([signal, done.signal]));
  await work().finally(() => done.abort());
  await following;
}
