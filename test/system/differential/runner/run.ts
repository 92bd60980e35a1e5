/** Runs scenarios on two servers and compares the answers. */

import { createHash } from 'node:crypto';
import { type Answer, type Asking, ask, type Peer } from './ask.ts';
import { type Difference, differencesOf } from './differences.ts';
import { type Manner, Portraits } from './portrait.ts';
import type { Scenario, Step } from './scenario.ts';

/** A difference, and the request that shows it. */
export interface Finding extends Difference {
  readonly scenario: string;
  /** Number of the step, from 0. */
  readonly step: number;
  readonly request: string;
}

/** Answers the steps of a scenario one by one. */
export interface Respondent {
  answer(step: Step): Promise<Answer>;
}

const shownBody = (step: Step): string =>
  step.body === undefined && step.set === undefined ? '' : ` ${JSON.stringify(step.set ?? step.body)}`;

const shownRequest = (step: Step): string => {
  if (step.collects !== undefined) return `events of ${step.collects}`;
  const method = step.method ?? (step.body === undefined && step.from === undefined ? 'GET' : 'POST');
  return `${method} ${step.path}${shownBody(step)}`;
};

/** Namespace of a scenario, the same in every run. */
const namespaceOf = ({ name }: Scenario): string => `d-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;

/** Answers one scenario by a server, after creating its namespace. */
export async function respondent(peer: Peer, scenario: Scenario): Promise<Respondent> {
  const ns = namespaceOf(scenario);
  const answers: unknown[] = [];
  const memory: Asking = { ns, answers, hooks: peer.hooks, open: new Map() };
  if (scenario.namespace !== false) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns } };
    const { status, body: answer } = await ask(peer, { path: '/api/v1/namespaces', body }, memory);
    if (status !== 201)
      throw new Error(`${peer.url} did not create the namespace ${ns}: ${status} ${JSON.stringify(answer)}`);
  }
  return {
    async answer(step) {
      const answer = await ask(peer, step, memory);
      answers.push(answer.body);
      return answer;
    },
  };
}

/** Two servers that answer the same scenario. */
export interface Pair {
  readonly ours: Respondent;
  readonly theirs: Respondent;
  readonly manner?: Manner | undefined;
}

/** Sends both the same, step by step; stops comparing once only one of them has refused. */
export async function compare(scenario: Scenario, { ours, theirs, manner }: Pair): Promise<readonly Finding[]> {
  const asked = JSON.stringify(scenario.steps);
  const [ourPortraits, theirPortraits] = [new Portraits(asked, manner), new Portraits(asked, manner)];
  const findings: Finding[] = [];
  let isParted = false;
  for (const [index, step] of scenario.steps.entries()) {
    const answers = await Promise.all([ours.answer(step), theirs.answer(step)]);
    const [our, their] = [ourPortraits.of(answers[0]), theirPortraits.of(answers[1])];
    // The remaining steps are still sent, for the recording.
    if (step.silent || isParted) continue;
    for (const difference of differencesOf(our, their)) {
      findings.push({ ...difference, scenario: scenario.name, step: index, request: shownRequest(step) });
    }
    isParted = our.status !== their.status && scenario.apart !== true;
  }
  return findings;
}

/** Result of a run. */
export interface Outcome {
  readonly scenarios: number;
  readonly findings: readonly Finding[];
}

/** Options of a run. */
export interface RunOptions {
  readonly ours: (scenario: Scenario) => Promise<Respondent>;
  readonly theirs: (scenario: Scenario) => Promise<Respondent>;
  readonly manner?: Manner | undefined;
  /** Deadline by `performance.now()`. @default never */
  readonly deadline?: number;
}

/** Number of concurrent scenarios. */
const atOnce = 4;

/** Runs scenarios on both servers until there are no more, or the deadline has passed. */
export async function run(scenarios: Iterable<Scenario>, options: RunOptions): Promise<Outcome> {
  const { ours, theirs, manner, deadline = Number.POSITIVE_INFINITY } = options;
  const findings: Finding[] = [];
  const waiting = scenarios[Symbol.iterator]();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const { done, value: scenario } = waiting.next();
      if (done) return;
      begun += 1;
      const [our, their] = await Promise.all([ours(scenario), theirs(scenario)]);
      findings.push(...(await compare(scenario, { ours: our, theirs: their, manner })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { scenarios: begun, findings };
}
