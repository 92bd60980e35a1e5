/** Loads the operator's seal from its Secret. */

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
  /** Reads the keys, with retries until the API server responds. @throws the refusal of the API server, or the signal's reason */
  load(signal: AbortSignal): Promise<void>;
  /** Reads the keys again every 15 minutes after they were loaded. Resolves when the signal aborts; a failure is logged and keeps the previous keys. */
  follow(signal: AbortSignal): Promise<void>;
  /**
   * Asks for the keys again where the workspace bears a signature of none of them, since one may have been added: once a minute at most, however many
   * workspaces bear such signatures.
   * @returns ms until that may be asked, where the key of a signature was never asked for: it is too early to count it as unknown; 0 where the workspace may be walked
   */
  meet(workspace: Workspace): Promise<number>;
}

/** ms between two periodic reads of the keys. */
const interval = 900_000;
/** Minimum ms between two reads of the keys. */
const minInterval = 60_000;
/** Warning of signatures of a key that the Secret does not hold: of a former key, another operator, or a forger. Once a minute at most. */
const unproven = 'ids in annotations are not trusted: the Secret of the seal does not hold the key of their signature';
/** Limit of the remembered ids of unknown keys. */
const maxUnknownKeys = 4096;

/** The id of the key in a signature, as far as a text ends in one. */
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
const [gone, lost] = [
  'restore it before the operator restarts: a new one is made then, and nothing that this one has signed is trusted',
  'add it again beside the new one: what it has signed is not trusted without it',
];

/** Keys of the Secret, as last read. */
class SecretKeys {
  readonly #options: OperatorSealOptions;
  readonly #secret: string;
  #reading: Promise<void> | undefined;
  current: Seal;
  /** Time of the last read, monotonic ms. */
  asked: number;

  constructor(options: OperatorSealOptions) {
    this.#options = options;
    this.#secret = `${options.operatorNamespace}/${sealSecretName}`;
    this.current = options.seal ?? createSeal('', []);
    this.asked = options.clock.monotonic();
  }

  /** ms until the keys may be read again. */
  get wait(): number {
    if (this.#reading !== undefined) return 0;
    return Math.max(0, Math.ceil(this.asked + minInterval - this.#options.clock.monotonic()));
  }

  async load(signal: AbortSignal): Promise<void> {
    const { client, operatorNamespace, clock, logger } = this.#options;
    const secret = this.#secret;
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.asked = clock.monotonic();
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
  askAgain(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { client, operatorNamespace, clock, logger } = this.#options;
    const secret = this.#secret;
    this.asked = clock.monotonic();
    try {
      const next = await readSeal(client, operatorNamespace, this.current.cluster);
      const signature = next?.sign('');
      const before = this.current.sign('');
      if (next === undefined || signature === undefined) {
        if (before !== undefined) logger?.warn({ secret, hint: gone }, 'the Secret of the seal is not there any more');
        return; // a Secret or a right that may be away for a while
      }
      if (signature !== before) logger?.info({ secret }, 'the seal has a new key');
      if (before !== undefined && next.verify('', before) === 'unknown')
        logger?.warn({ secret, hint: lost }, 'the key that the seal has signed with is not there any more');
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
  const strangers = new Set<string>();
  return {
    current: () => keys.current,
    load: async (signal) => (seal === undefined ? keys.load(signal) : undefined),
    async follow(signal) {
      while (seal === undefined && !signal.aborted) {
        await clock.sleep(interval, signal).catch(() => undefined);
        if (!signal.aborted && keys.wait === 0) await keys.askAgain();
      }
    },
    async meet(workspace) {
      const unknown = seal === undefined ? unknownKeys(keys.current, workspace) : [];
      if (unknown.length === 0) return 0;
      const { wait } = keys;
      if (wait > 0) return unknown.every((id) => strangers.has(id)) ? 0 : wait;
      await keys.askAgain();
      if (strangers.size > maxUnknownKeys) strangers.clear();
      const strange = unknownKeys(keys.current, workspace).filter((id) => !strangers.has(id));
      for (const id of strange) strangers.add(id);
      if (strange.length > 0)
        logger?.warn({ workspace: keyOf(workspace.metadata), keys: strange.slice(0, 3) }, unproven);
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
  const over = new AbortController();
  const following = seal.follow(AbortSignal.any([signal, over.signal]));
  await work().finally(() => over.abort());
  await following;
}
