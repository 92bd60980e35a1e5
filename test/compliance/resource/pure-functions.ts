/** Asks functions of an integration that know nothing but a workspace: each question in several ways, to which there is one answer. */

import { isDeepStrictEqual } from 'node:util';
import type { Integration, Workspace, WorkspaceSpec } from '../../../sdk/index.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

/** Ways in which {@link PureQuestions.ask} asks, in the words of a report. */
export const waysOfAsking = '(asked again, in another environment and month, and by another clock)';

/** Answers to one question in each way. */
export interface PureAnswers {
  readonly answers: readonly unknown[];
  readonly isOne: boolean;
}

/** An integration, and the workspaces that it is asked about. */
export interface PureQuestions {
  /** Specs as any workspace may have them, the subject's first; frozen to the last member. */
  readonly workspaces: readonly Workspace[];
  /** Asks twice, at another time with other random numbers and another environment, and by a later clock of the kit. */
  ask(question: (integration: Integration) => unknown): PureAnswers;
  /** Returns the first call to a third party that was made meanwhile; none is sent, since no run is at work. */
  called(): string | undefined;
}

const without = <T extends object>(whole: T, member: string): T =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member)) as T;

/** Returns specs as any workspace may have them: the subject's, and its own with members removed where the schema allows it. */
function specsOf({ spec, edited = {}, unasked = {} }: Subject): readonly WorkspaceSpec[] {
  const { integrations = {} } = spec;
  const parts = Object.entries(integrations as Readonly<Record<string, object>>).flatMap(([name, part]) =>
    [{}, ...Object.keys(part).map((member) => without(part, member))].map((cut) => ({
      ...spec,
      integrations: { ...integrations, [name]: cut },
    })),
  );
  const cut = Object.keys(spec).map((member) => without(spec, member));
  return [spec, edited, unasked, {}, { ...spec, integrations: {} }, ...cut, ...parts] as readonly WorkspaceSpec[];
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

/** Runs a synchronous function; requests of its own, past the kit, are reported and not sent. */
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

/** Returns what an integration is asked in a scenario. */
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
