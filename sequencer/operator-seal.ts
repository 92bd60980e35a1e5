import type { Logger } from 'pino';
import {
  type Client,
  type Clock,
  createSeal,
  group,
  loadSeal,
  readSeal,
  type Seal,
  sealSecretName,
  UnreachableError,
  UserError,
  type Workspace,
} from '../sdk/index.ts';

/** Where the operator's seal is kept. */
export interface OperatorSealOptions {
  readonly client: Client;
  /** Namespace of the Secret `sequencer-seal`. */
  readonly operatorNamespace: string;
  /** The seal itself, instead of that Secret's. */
  readonly seal?: Seal | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** The seal of one operator: without a key until it is loaded. */
export interface OperatorSeal {
  current(): Seal;
  /** Asks the API server for the keys until it answers. @throws what it refuses with, or the signal's reason */
  load(signal: AbortSignal): Promise<void>;
  /** Once they are loaded: asks for them again every 15 minutes. Resolves when the signal has aborted; what goes wrong is logged, and the keys stay as they were. */
  follow(signal: AbortSignal): Promise<void>;
  /**
   * Asks for the keys again where the workspace bears a signature of none of them: somebody may have added one. Not more than once a minute, whatever bears
   * whichever signatures.
   * @returns ms until that may be asked, where the key of a signature was never asked for: it is too early to take it for a stranger's; 0 where the workspace may be walked
   */
  meet(workspace: Workspace): Promise<number>;
}

const longestDelay = 30_000;
/** ms between two times that the keys are asked for without a reason. */
const interval = 900_000;
/** ms between two times that they are asked for, at least. */
const leastInterval = 60_000;
/** How many ids of keys that are nobody's here are remembered. */
const mostStrangers = 4096;

/** The id of the key in a signature, as far as a text ends in one. */
function keyIdIn(text: string, mark: string): string | undefined {
  const at = text.lastIndexOf(mark);
  return at === -1 ? undefined : /^[\da-f]{8}(?=\.)/.exec(text.slice(at + mark.length, at + mark.length + 9))?.[0];
}

/** The ids of keys that have signed what stands in the annotations of a workspace, and are none of the seal's. Takes time linear in their size. */
export function unknownKeys(seal: Seal, { metadata }: Workspace): readonly string[] {
  const ids = Object.entries(metadata.annotations ?? {}).flatMap(([name, text]) => {
    if (name.startsWith(`external.${group}/`)) return keyIdIn(text, '"seal":"') ?? [];
    return name.startsWith(`resolve.${group}/`) ? (keyIdIn(text, ' seal=') ?? []) : [];
  });
  return ids.filter((id) => seal.verify('', `${id}.`) === 'unknown');
}

/** The seal of the operator's own Secret. */
export function operatorSeal({ client, operatorNamespace, seal, clock, logger }: OperatorSealOptions): OperatorSeal {
  let current = seal ?? createSeal('', []);
  let asked = clock.monotonic();
  let asking: Promise<void> | undefined;
  const strangers = new Set<string>();
  const secret = `${operatorNamespace}/${sealSecretName}`;
  const become = (next: Seal | undefined): void => {
    const signature = next?.sign('');
    if (next === undefined || signature === undefined) return; // a Secret or a right that is away for a while costs no key
    if (signature !== current.sign('')) logger?.info({ secret }, 'the seal has a new key');
    current = next;
  };
  const askAgain = async (): Promise<void> => {
    asked = clock.monotonic();
    try {
      become(await readSeal(client, operatorNamespace, current.cluster));
    } catch (error) {
      const hint = error instanceof UserError ? error.hint : undefined;
      logger?.warn({ err: error, secret, hint }, 'the Secret of the seal cannot be read: its keys stay as they were');
    }
  };
  const askOnce = (): Promise<void> => {
    asking ??= askAgain().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    current: () => current,
    async load(signal) {
      for (let delay = 500; seal === undefined; delay = Math.min(2 * delay, longestDelay)) {
        try {
          asked = clock.monotonic();
          current = await loadSeal(client, operatorNamespace);
          if (current.sign('') === undefined)
            logger?.warn(
              { secret },
              'no right to get or create the Secret of the seal: ids in annotations are not believed',
            );
          return;
        } catch (error) {
          if (!(error instanceof UnreachableError) || signal.aborted) throw error;
          logger?.warn({ err: error, secret }, 'the Secret of the seal cannot be read yet');
        }
        await clock.sleep(delay, signal);
      }
    },
    async follow(signal) {
      while (seal === undefined && !signal.aborted) {
        await clock.sleep(interval, signal).catch(() => undefined);
        if (!signal.aborted && clock.monotonic() - asked >= leastInterval) await askOnce();
      }
    },
    async meet(workspace) {
      if (seal !== undefined) return 0;
      const unknown = unknownKeys(current, workspace);
      if (unknown.length === 0) return 0;
      const wait = asking === undefined ? asked + leastInterval - clock.monotonic() : 0;
      if (wait > 0) return unknown.every((id) => strangers.has(id)) ? 0 : Math.ceil(wait);
      await askOnce();
      if (strangers.size > mostStrangers) strangers.clear();
      for (const id of unknownKeys(current, workspace)) strangers.add(id);
      return 0;
    },
  };
}
