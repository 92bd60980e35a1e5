/** Protocols that the simulation compares: the guard in several uses, with protections that can be removed. */

import { type Logger, pino } from 'pino';
import type { ProviderHost } from '../../../../sdk/host/index.ts';
import {
  type Client,
  createProviderHost,
  type EventSink,
  exponentialBackoff,
  type GuardTimes,
  type Integration,
  type Reconciler,
  type Workspace,
} from '../../../../sdk/index.ts';
import { walk } from '../../../../sequencer/engine/walk.ts';
import { createSequencer } from '../../../../sequencer/run/sequencer.ts';
import { aSeal } from '../../../unit/a-seal.ts';
import { showing } from '../mutants/views.ts';
import type { Process } from '../processes/process.ts';
import type { Random } from '../processes/random.ts';
import { makers } from '../third-party/makers.ts';
import type { Port, ThirdParty } from '../third-party/third-party.ts';
import { ensured } from './ensured.ts';
import { type GuardedOptions, guarded, type Identity, markOf, wantedOf } from './guarded.ts';
import type { Traits } from './traits.ts';

/** Dependencies of a process. */
export interface Means {
  readonly process: Process;
  readonly client: Client;
  readonly random: Random;
  readonly thirdParty: ThirdParty;
  readonly identity: Identity;
  /** The condition that its integration reports. */
  readonly condition: string;
  readonly traits: Traits;
  /** Receives every event and warning. */
  tell(text: string): void;
}

/** A way to change the outside world: the guard, or one to compare it with. */
export interface Protocol {
  readonly name: string;
  /** The protocol keeps a journal, so that the guard's guarantees can be checked. */
  readonly guarded: boolean;
  /** Names of the things that a workspace wants. @default one, without a name */
  slots?(workspace: Workspace): readonly string[];
  reconciler(means: Means): Reconciler<Workspace>;
  /** Runs a whole sequencer, watch and queue included, instead of the reconciler alone. */
  run?(means: Means): Promise<void>;
}

/** Points at which a protection can be removed, to check that the simulation detects it. */
export interface Seams {
  readonly times?: Partial<GuardTimes>;
  client?(client: Client): Client;
  host?(host: ProviderHost): ProviderHost;
  /** The workspace as a process sees it. */
  workspace?(workspace: Workspace): Workspace;
  /** Signal given to an integration instead of that of its attempt. */
  signal?(own: AbortSignal): AbortSignal;
  /** @default true */
  readonly checksMark?: boolean;
  /** ms by which the integration says that lists are late. @default as they are */
  readonly listLagMs?: number;
}

/** ms: latest execution of a lost call, lag of lists, timeout of a call; and the largest relative error of a clock's rate. */
export const bounds = { lease: 10_000, late: 4_000, listLag: 2_000, timeout: 3_000, drift: 0.02 };

/** Guard options of a simulation: the lease covers everything a lost request may do, even by the fastest clock. */
const guardTimes = { lease: bounds.lease, maxRequest: bounds.late * (1 + bounds.drift) + 100 };

/** Logger that forwards warnings and errors, without stacks. */
const loggerOf = ({ tell }: Means): Logger =>
  pino(
    { level: 'warn', base: null, timestamp: false },
    {
      write(line) {
        const { msg, err } = JSON.parse(line) as { readonly msg: string; readonly err?: Error };
        tell(`${msg}: ${err?.message ?? ''}`);
      },
    },
  );

type Integrate = (options: GuardedOptions) => Integration;

/** The integrations of one process, connected to the third party. */
const integrationsOf = (
  integrate: Integrate,
  { process, thirdParty, identity, condition, traits }: Means,
  { checksMark = true, listLagMs = bounds.listLag, signal: given = (own) => own }: Seams = {},
): readonly Integration[] =>
  makers.map((maker) =>
    integrate({
      maker,
      identity,
      condition,
      traits,
      checksMark,
      listLagMs,
      connect: (controller, own): Port => {
        const signal = traits.ignoresSignal ? new AbortController().signal : given(own);
        const { token = 0, holder = '' } = controller.workspace.status?.guards?.[controller.condition.type] ?? {};
        const attempt = { uid: markOf(controller.workspace), maker, token, holder };
        return thirdParty.port(process, attempt, { signal, timeout: bounds.timeout });
      },
    }),
  );

const eventsOf = ({ tell }: Means): EventSink => ({
  event: (...[, , reason, message]) => tell(`${reason}: ${message}`),
});

/** The product's protocol, used through the given kind of integration. */
export const product = (name: string, integrate: Integrate, seams: Seams): Protocol => ({
  name,
  guarded: true,
  reconciler(means) {
    const { times = {}, client = (own) => own, host = (own) => own, workspace: seen = (own) => own } = seams;
    const made = createProviderHost({
      seal: () => aSeal,
      client: means.client,
      clock: means.process.clock,
      holder: means.process.name,
      random: means.random.next,
      stopping: means.process.stopping,
      killed: means.process.killed,
      times: { ...guardTimes, ...times },
      events: eventsOf(means),
      logger: loggerOf(means),
    });
    const seamed = host({ ...made, client: showing(seen)(client(made.client)) });
    const reconcile = walk({ host: seamed, integrations: integrationsOf(integrate, means, seams) });
    return (request) => reconcile({ ...request, object: request.object && seen(request.object) });
  },
});

/** The guard, used directly by an integration. */
export const theGuard = (seams: Seams = {}): Protocol => product('guard', guarded, seams);

/** External resources, as most integrations use them. */
export const theResources = (seams: Seams = {}): Protocol => product('ensure', ensured, seams);

const three = ['a', 'b', 'c'];

/** Two of three things; every second spec omits a different one. */
const changing = (workspace: Workspace): readonly string[] => {
  const value = wantedOf(workspace);
  return value % 2 === 1 ? three : three.filter((_, index) => index !== (value / 2) % 3);
};

/** Several external resources of one condition, in changing selection. */
export const theThings = (seams: Seams = {}): Protocol => ({
  ...product('things', (options) => ensured({ ...options, slots: changing }), seams),
  slots: changing,
});

/** The whole sequencer: external resources, and the engine with its list, watch, cache and queue. */
export const theSequencer = (): Protocol => ({
  ...product('sequencer', ensured, {}),
  run: (means) =>
    createSequencer({
      client: means.client,
      integrations: integrationsOf(ensured, means),
      clock: means.process.clock,
      random: means.random.next,
      retry: exponentialBackoff({ initialDelay: 500, maxDelay: 30_000, random: means.random.next }),
      holder: means.process.name,
      events: eventsOf(means),
      seal: aSeal,
      logger: loggerOf(means),
      times: guardTimes,
      drain: 3_000,
    }).run(means.process.stopping),
});
