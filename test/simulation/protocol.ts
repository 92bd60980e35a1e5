import {
  type Client,
  createProviderHost,
  type GuardTimes,
  type Integration,
  type ProviderHost,
  type Reconciler,
  type Workspace,
} from '../../sdk/index.ts';
import { walk } from '../../sequencer/walk.ts';
import { ensured } from './ensured.ts';
import { condition, type GuardedOptions, guarded, type Identity, markOf } from './guarded.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { Port, ThirdParty } from './third-party.ts';

/** What a process is made with. */
export interface Means {
  readonly process: Process;
  readonly client: Client;
  readonly random: Random;
  readonly thirdParty: ThirdParty;
  readonly identity: Identity;
}

/** A way to change the outside world: the guard, or something to compare it with. */
export interface Protocol {
  readonly name: string;
  /** It keeps the journal, so that what the guard promises can be asked of it. */
  readonly guarded: boolean;
  reconciler(means: Means): Reconciler<Workspace>;
}

/** Where protections can be taken away, to see whether that is seen. */
export interface Seams {
  readonly times?: Partial<GuardTimes>;
  client?(client: Client): Client;
  host?(host: ProviderHost): ProviderHost;
  /** @default true */
  readonly checksMark?: boolean;
}

/** ms: how late a lost call may be carried out, how late lists are, when a call is given up. */
export const bounds = { lease: 10_000, late: 4_000, listLag: 2_000, timeout: 3_000 };

/** How guards hold in a simulation: everything a lost request may do fits in. */
export const guardTimes = { lease: bounds.lease, maxRequest: bounds.late + 100 };

/** The product's protocol, under one of its two faces. */
const product = (
  name: string,
  integrate: (options: GuardedOptions) => Integration,
  { times = {}, client = (own) => own, host = (own) => own, checksMark = true }: Seams,
): Protocol => ({
  name,
  guarded: true,
  reconciler({ process, client: own, random, thirdParty, identity }) {
    const made = createProviderHost({
      client: client(own),
      clock: process.clock,
      holder: process.name,
      random: random.next,
      times: { ...guardTimes, ...times },
      events: { event: () => {} },
    });
    const integration = integrate({
      identity,
      checksMark,
      listLagMs: bounds.listLag,
      connect: (controller, signal): Port => {
        const { token = 0, holder = '' } = controller.workspace.status?.guards?.[condition] ?? {};
        const attempt = { uid: markOf(controller.workspace), token, holder };
        return thirdParty.port(process, attempt, { signal, timeout: bounds.timeout });
      },
    });
    return walk({ host: host(made), integrations: [integration] });
  },
});

/** The guard, used by an integration that knows how to use it. */
export const theGuard = (seams: Seams = {}): Protocol => product('guard', guarded, seams);

/** External resources: what most integrations are written with. */
export const theResources = (seams: Seams = {}): Protocol => product('ensure', ensured, seams);
