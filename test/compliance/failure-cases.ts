import assert from 'node:assert/strict';
import { arrive, type Case, expect, listed, mayAsk, vanish } from './case.ts';
import type { Call, Fault } from './effects.ts';
import type { FailureClass } from './failures.ts';
import { inWords, Life } from './life.ts';
import type { Subject, Thing } from './subject.ts';

const lackingFailure =
  (failure: FailureClass) =>
  ({ failures }: Subject): string | undefined =>
    failures?.[failure] === undefined ? `the subject declares no failures.${failure}` : undefined;

/** What a life without faults makes and calls. */
export interface Calm {
  readonly expected: readonly string[];
  readonly secrets: readonly string[];
  readonly calls: readonly Call[];
  /** Names of its effects. */
  readonly effects: readonly { readonly name: string; readonly kind: 'write' | 'call' }[];
}

/** A whole life, there and back, to be compared with. @throws AssertionError when even that goes wrong */
export const calmLife = (subject: Subject): Promise<Calm> =>
  Life.during(subject, async (life) => {
    try {
      await life.create();
      const expected = await arrive(life);
      const secrets = await life.secrets();
      await vanish(life);
      return { expected, secrets, calls: life.effects.calls, effects: life.effects.done };
    } catch (error) {
      throw new assert.AssertionError({ message: `without any fault: ${(error as Error).message}` });
    }
  });

/** How a life has to end; statuses besides Completed that are a way to rest. */
export interface Ending extends Pick<Calm, 'expected' | 'secrets'> {
  readonly mayAsk: boolean;
}

const idOf = (thing: Thing): string => (typeof thing === 'string' ? thing : thing.id);

/** What is there beyond what was there: of equal ones, those that are too many. */
function beyond(now: readonly Thing[], before: readonly Thing[]): readonly Thing[] {
  const left = before.map(idOf);
  return now.filter((thing) => {
    const index = left.indexOf(idOf(thing));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

function surplus(life: Life, there: readonly Thing[], { expected }: Ending): string {
  const made = life.run === 1 ? [] : beyond(there, life.atDeath);
  const who = made.length > 0 ? `the second run created ${listed(made)}; ` : '';
  return `${who}the third party has ${listed(there)} instead of ${listed(expected)}`;
}

async function missingSecrets(life: Life, { secrets }: Ending): Promise<readonly string[]> {
  const kept = await life.secrets();
  const missing = secrets.filter((name) => !kept.includes(name));
  return missing.map((name) => `Secret ${name} is missing: what it holds was lost with an answer; see secretOf`);
}

/** Comes to rest, is deleted, is gone. @returns what is wrong, in words; undefined when nothing is */
export async function complaintOf(life: Life, ending: Ending): Promise<string | undefined> {
  const { expected, mayAsk } = ending;
  const complaints: string[] = [];
  if (!(await life.comesTo(['Completed', 'Gone', ...(mayAsk ? ['Unknown'] : [])])))
    return `it never came to rest: ${life.condition}`;
  const asked = life.condition.startsWith('Unknown');
  const there = await life.remote();
  if (there.length > expected.length || (!asked && inWords(there).join('\n') !== expected.join('\n')))
    complaints.push(surplus(life, there, ending));
  if (!asked) complaints.push(...(await missingSecrets(life, ending)));
  await life.delete();
  if (!(await life.comesTo(['Gone', ...(mayAsk ? ['Deleting, Unknown'] : [])])))
    complaints.push(`the workspace was never gone: ${life.condition}`);
  else if (life.condition.startsWith('Gone')) {
    const left = await life.remote();
    if (left.length > 0) complaints.push(`${listed(left)} leaked`);
  }
  return complaints.length === 0 ? undefined : complaints.join('; ');
}

/** Breaks one call after the other, each in a life of its own. */
async function sweep(subject: Subject, faults: readonly Fault[], mayAsk: boolean): Promise<void> {
  const { calls, expected, secrets } = await calmLife(subject);
  const words: Readonly<Record<Fault, string>> = {
    definite: 'was refused',
    throttled: 'was told to be patient',
    'lost before': 'was lost on its way',
    'lost after': 'was carried out and its answer lost',
    hang: 'got no answer',
  };
  const broken: string[] = [];
  for (const fault of faults)
    for (let nth = 1; nth <= calls.length; nth += 1) {
      const complaint = await Life.during(
        subject,
        async (life) => {
          await life.create();
          const complaint = await complaintOf(life, { expected, secrets, mayAsk });
          if (complaint !== undefined) return complaint;
          if (life.effects.calls.length < nth && subject.time !== 'real') return 'it was not made in another life';
          return fault === 'hang' ? unheard(life) : undefined;
        },
        { fault: (call) => (call === nth ? fault : undefined) },
      );
      if (complaint !== undefined) broken.push(`call ${nth} (${calls[nth - 1]!.name}) ${words[fault]}: ${complaint}`);
    }
  expect(broken.length === 0, broken.join('\n'));
}

/** A call that still hangs after its attempt was given up. */
function unheard({ effects }: Life): string | undefined {
  const call = effects.calls.find(({ hangs }) => hangs);
  if (call === undefined || call.signal?.aborted) return undefined;
  return call.signal === undefined
    ? 'it was made without a signal, and outlives its lease: pass context.signal'
    : 'its signal never aborted, and it outlives its lease: pass context.signal, not one of your own';
}

const reports: Case = {
  name: 'reports',
  title: 'reports a third party that refuses, lets nothing go meanwhile, and goes on when it is over',
  lacks: lackingFailure('definite'),
  prove: (subject) =>
    Life.during(
      subject,
      async (life) => {
        await life.create();
        expect(
          await life.comesTo(['Error']),
          `everything is refused, and the condition does not say Error: ${life.condition}. Throw DefiniteError for a no`,
        );
        expect(/^Error: \S/.test(life.condition), 'everything is refused, and the condition gives no reason');
        life.effects.calm();
        await arrive(life);
        life.effects.plan = { fault: () => 'definite' };
        await life.delete();
        await life.work();
        const left = await life.remote();
        if ((await life.read()) === undefined && left.length > 0)
          assert.fail(`its removal was refused, and the workspace went all the same: ${listed(left)} leaked`);
        life.effects.calm();
        expect(await life.comesTo(['Gone']), `the workspace was never gone: ${life.condition}`);
        const leaked = await life.remote();
        expect(leaked.length === 0, `leaked: ${listed(leaked)}`);
      },
      { fault: () => 'definite' },
    ),
};

const definite: Case = {
  name: 'definite',
  title: 'recovers from the refusal of any one call',
  lacks: lackingFailure('definite'),
  prove: (subject) => sweep(subject, ['definite'], false),
};

const ambiguous: Case = {
  name: 'ambiguous',
  title: 'makes nothing twice and loses nothing when any one call or its answer is lost',
  lacks: lackingFailure('ambiguous'),
  prove: (subject) => sweep(subject, ['lost before', 'lost after'], mayAsk(subject)),
};

const throttled: Case = {
  name: 'throttled',
  title: 'waits for a third party that asks for patience',
  lacks: lackingFailure('throttled'),
  prove: async (subject) => {
    await Life.during(
      subject,
      async (life) => {
        await life.create();
        const came = await life.comesTo(['Waiting', 'Error', 'Unknown']);
        if (!came || !life.condition.startsWith('Waiting'))
          assert.fail(
            `the third party asks for patience, and the condition does not say Waiting: ${life.condition}. Throw ThrottledError, or what errorOfAnswer makes`,
          );
      },
      { fault: () => 'throttled' },
    );
    await sweep(subject, ['throttled'], false);
  },
};

const signal: Case = {
  name: 'signal',
  title: 'honours its signal',
  lacks: ({ reaches }) => (reaches === 'cluster' ? 'its calls are the controller’s, which honours it' : undefined),
  prove: (subject) => sweep(subject, ['hang'], mayAsk(subject)),
};

/** What an integration does when its third party fails. */
export const failureCases: readonly Case[] = [reports, definite, ambiguous, throttled, signal];
