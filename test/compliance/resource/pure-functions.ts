/** Calls functions of an integration that must depend on the workspace alone, in several environments. */

import { isDeepStrictEqual } from 'node:util';
import type { Integration, Workspace, WorkspaceSpec } from '../../../sdk/index.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

/** Environments in which {@link PureQuestions.ask} calls a function, for a report. */
export const waysOfAsking = '(asked again, in another environment and month, and by another clock)';

/** Results of one function in each environment. */
export interface PureAnswers {
  readonly answers: readonly unknown[];
  readonly isOne: boolean;
}

/** Pure functions of an integration, and the workspaces to call them with. */
export interface PureQuestions {
  /** Workspaces with various specs, the subject's first; deeply frozen. */
  readonly workspaces: readonly Workspace[];
  /** Calls a function twice, once with another system time, randomness and environment variables, and once with a later clock. */
  ask(question: (integration: Integration) => unknown): PureAnswers;
  /** Returns the first call to a third party, if any was made; it was not sent. */
  called(): string | undefined;
}

const without = <T extends object>(whole: T, member: string): T =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member)) as T;

/** Returns the specs of the subject, and variants with members removed. */
function specsOf({ spec, edited = {}, unhandled = {} }: Subject): readonly WorkspaceSpec[] {
  const { integrations = {} } = spec;
  const parts = Object.entries(integrations as Readonly<Record<string, object>>).flatMap(([name, part]) =>
    [{}, ...Object.keys(part).map((member) => without(part, member))].map((cut) => ({
      ...spec,
      integrations: { ...integrations, [name]: cut },
    })),
  );
  const cut = Object.keys(spec).map((member) => without(spec, member));
  return [spec, edited, unhandled, {}, { ...spec, integrations: {} }, ...cut, ...parts] as readonly WorkspaceSpec[];
}

/** Returns the workspace with another spec, without labels and status. */
const workspaceWith = ({ metadata, apiVersion, kind }: Workspace, spec: WorkspaceSpec): Workspace =>
  deepFrozen({
    apiVersion,
    kind,
    metadata: { ...without(metadata, 'labels'), annotations: {} },
    spec: structuredClone(spec),
  } as Workspace);

function deepFrozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFrozen(part);
  return Object.freeze(value);
}

/** Runs a synchronous function at another time, with other random numbers and another environment. */
function inOtherEnvironment<T>(act: () => T): T {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  const { env } = process;
  const later = RealDate.now() + 40 * 86_400_000;
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [later] : args) as [number]));
    }
    static override now = (): number => later;
  } as DateConstructor;
  Math.random = () => 0.999;
  process.env = {};
  try {
    return act();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
    process.env = env;
  }
}

/** Runs a synchronous function without the network: requests by the global `fetch` are reported and not sent. */
function withoutNetwork<T>(act: () => T, onRequest: (url: string) => void): T {
  const { fetch } = globalThis;
  globalThis.fetch = (input) => {
    onRequest(String(input instanceof Request ? input.url : input));
    return new Promise(() => undefined);
  };
  try {
    return act();
  } finally {
    globalThis.fetch = fetch;
  }
}

/** Returns the pure functions of the subject's integration. */
export async function questionsIn(scenario: Scenario): Promise<PureQuestions> {
  const created = await scenario.create();
  const { clock } = scenario.environment;
  const own: string[] = [];
  let ahead = 0;
  const integration = scenario.integration({
    now: () => clock.now() + ahead,
    monotonic: () => clock.monotonic() + ahead,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, fn) => clock.after(ms, fn),
  });
  return {
    workspaces: specsOf(scenario.subject).map((spec) => workspaceWith(created, spec)),
    called: () => scenario.effects.callsAfterCrash[0] ?? own[0],
    ask(question) {
      const once = (days = 0): unknown => {
        ahead = days * 86_400_000;
        return withoutNetwork(
          () => question(integration),
          (url) => own.push(url),
        );
      };
      const answers = [once(), once(), inOtherEnvironment(once), once(40)];
      return { answers, isOne: answers.every((answer) => isDeepStrictEqual(answer, answers[0])) };
    },
  };
}
