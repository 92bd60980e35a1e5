/** Replays recorded cases on the in-memory cluster. */

import { isDeepStrictEqual } from 'node:util';
import { collected } from './collect.ts';
import { type Answer, responseFaults } from './compare.ts';
import { filledIn, valueAt, withoutManagedFields } from './paths.ts';
import { Labels } from './placeholders.ts';
import { type Case, definitionsFor, type RecordedRequest, type Step, type Until } from './recording.ts';
import { createSession, type OpenWatch, type Session } from './session.ts';

/** A case in progress. */
export interface Run {
  readonly recorded: Case;
  readonly session: Session;
  readonly labels: Labels;
  readonly captured: Record<string, string>;
  readonly watches: Map<string, OpenWatch>;
}

type Doing = (run: Run, step: Step) => AsyncGenerator<string>;

const seen = ({ recorded }: Run, answer: Answer): Answer =>
  recorded.managedFields ? answer : { ...answer, body: withoutManagedFields(answer.body) };

function* capture({ captured }: Run, step: Step, from: Pick<Answer, 'body' | 'headers'>): Generator<string> {
  for (const [name, path] of Object.entries(step.capture ?? {})) {
    const value = path.startsWith('header:') ? from.headers[path.slice('header:'.length)] : valueAt(from.body, path);
    if (value === undefined) yield `nothing at ${path} to capture`;
    else captured[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
}

async function* ask(run: Run, step: Step): AsyncGenerator<string> {
  const { session, captured, labels } = run;
  const answer = seen(run, await session.ask(filledIn(step.request!, captured)));
  yield* responseFaults(filledIn(step.response ?? {}, captured), answer, labels);
  yield* capture(run, step, answer);
}

async function* watch(run: Run, step: Step): AsyncGenerator<string> {
  const { session, captured, labels, watches } = run;
  const opened = await session.watch(filledIn(step.watch!, captured));
  watches.set(step.watch!.id, opened);
  yield* responseFaults(filledIn(step.response ?? { status: 200 }, captured), seen(run, opened.answer), labels);
}

async function* collect(run: Run, step: Step): AsyncGenerator<string> {
  const watched = run.watches.get(step.collect!)!;
  const { events, problems } = await collected(run, step, watched);
  yield* problems;
  yield* capture(run, step, { body: events, headers: {} });
}

/** Checks of a value by the members of an `until`. */
const checks: Readonly<
  Record<'exists' | 'equals' | 'length' | 'includes', (value: unknown, wanted: unknown) => boolean>
> = {
  exists: (value, wanted) => (value !== undefined) === wanted,
  equals: isDeepStrictEqual,
  length: (value, wanted) => (value as unknown[] | undefined)?.length === wanted,
  includes: (value, wanted) => typeof value === 'string' && value.includes(wanted as string),
};

function holds({ status, path, ...until }: Until, answer: Answer): boolean {
  if (status !== undefined && answer.status !== status) return false;
  if (path === undefined) return true;
  const value = valueAt(answer.body, path);
  return Object.entries(checks).every(([name, check]) => {
    const wanted = until[name as keyof typeof checks];
    return wanted === undefined || check(value, wanted);
  });
}

/** Most repetitions of a request. */
const maxAsked = 200;

async function* waitFor(run: Run, step: Step): AsyncGenerator<string> {
  const { session } = run;
  const { path, until, request } = filledIn(step.waitFor!, run.captured);
  const recorded: RecordedRequest = { method: 'GET', ...request, path };
  let answer = await session.ask(recorded);
  for (let count = 1; !holds(until, answer) && count < maxAsked; count += 1) {
    await session.wait(100, () => false);
    answer = await session.ask(recorded);
  }
  if (!holds(until, answer)) yield `${path} never came to ${JSON.stringify(until)}: ${answer.status} ${answer.text}`;
  yield* capture(run, step, answer);
}

async function* same({ captured }: Run, step: Step): AsyncGenerator<string> {
  const [a, b] = filledIn(step.same!, captured);
  if (a !== b) yield `expected the same, got ${a} and ${b}`;
}

async function* sleep({ session }: Run, { sleepMs = 0 }: Step): AsyncGenerator<string> {
  await session.wait(sleepMs, () => false);
}

async function* control({ session }: Run, { control: action }: Step): AsyncGenerator<string> {
  if (action === 'compact') session.compact();
  else yield `there is no control "${action}"`;
}

const steps: Readonly<Record<string, Doing>> = {
  request: ask,
  watch,
  collect,
  waitFor,
  same,
  sleepMs: sleep,
  control,
};

const doingOf = (step: Step): Doing => steps[Object.keys(steps).find((name) => name in step)!]!;

const post = (path: string, body: unknown): RecordedRequest => ({ method: 'POST', path, body });

async function prepare({ recorded, session, captured }: Run): Promise<void> {
  for (const definition of definitionsFor(recorded)) {
    await session.ask(post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition));
  }
  if (recorded.namespace === false) return;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: captured.ns } };
  await session.ask(post('/api/v1/namespaces', namespace));
}

/** Replays a case on a cluster of its own; returns all deviations from the real server's answers. */
export async function replay(recorded: Case): Promise<readonly string[]> {
  const session = await createSession();
  const suffix = 'bcdfghjk';
  const captured = { sfx: suffix, ns: `cf-${suffix}`, host: session.host };
  const run: Run = { recorded, session, captured, labels: new Labels(), watches: new Map() };
  const problems: string[] = [];
  try {
    await prepare(run);
    for (const [index, step] of recorded.steps.entries()) {
      for await (const problem of doingOf(step)(run, step)) problems.push(`step ${index + 1}: ${problem}`);
    }
  } finally {
    for (const opened of run.watches.values()) opened.close();
    await session.close();
  }
  return problems;
}
