/** Cases without faults: creation, edit and deletion. */

import { isDeepStrictEqual } from 'node:util';
import { instanceLabel, isJsonObject, type WorkspaceSpec } from '../../../sdk/index.ts';
import { inAnotherTimeZone } from '../observation/another-time.ts';
import {
  type Case,
  expectCompleted,
  expectDeleted,
  expectRemote,
  lacking,
  waitUntilSettled,
} from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';
import { cleansCase, emptiedCase } from './cleans-case.ts';

const completes: Case = {
  name: 'completes',
  title: 'brings its condition to Completed',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create();
      expect(
        (await expectCompleted(scenario)).length > 0,
        'Completed, but nothing exists at the third party',
        'an answer is trusted that says nothing, or a failed call counts as success: look at what the third party answers; or remote() of the subject reads another third party',
      );
      expect(
        scenario.effects.calls.length > 0,
        'no call to the third party was seen',
        'its calls do not pass through the kit: make it with run.fetch, or with what run.through(api) returns',
      );
      const types = ((await scenario.read())?.status?.conditions ?? []).map(({ type }) => type);
      const others = types.filter((type) => type !== scenario.conditionType && type !== 'Ready');
      expect(
        others.length === 0,
        `it writes a condition that is another’s: ${others.join(', ')}`,
        'an integration answers for one condition: say what there is to say in its own',
      );
    }),
};

const muchLater = 'forty days later, by a fresh sequencer';

const inOtherZone = 'by a fresh sequencer in another time zone';

const waysToWalk = ({ time }: Subject): readonly string[] =>
  time === 'real' ? ['again', 'by a fresh sequencer'] : ['again', 'by a fresh sequencer', inOtherZone, muchLater];

/** Restarts the sequencer, at once or after forty days. */
async function restart(scenario: Scenario, when: string): Promise<void> {
  if (when !== muchLater) return scenario.crash();
  scenario.stopSequencer();
  await scenario.environment.skip(40 * 86_400_000);
}

const once: Case = {
  name: 'once',
  title: 'changes nothing when walked again, nor by a fresh sequencer',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create();
      const before = await expectCompleted(scenario);
      await waitUntilSettled(scenario);
      await scenario.work(4);
      for (const again of waysToWalk(subject)) {
        const { length } = scenario.effects.done;
        if (again === 'again') await scenario.annotate({ 'example.com/touched': 'yes' });
        else await restart(scenario, again);
        if (again === muchLater && (await scenario.describeRemote()).join('\n') !== before.join('\n')) return; // objects that expire by themselves are renewed
        await (again === inOtherZone ? inAnotherTimeZone(() => scenario.work()) : scenario.work());
        const likely =
          'what is wanted, or a name, differs from walk to walk (a clock, a random number, the order of a list, the version or the status of the workspace, also in a reason, a time in the zone of the machine), or is compared by identity (===) with what the journal has, which is read anew from JSON: derive it from the workspace alone, compare by value, and look before anything is changed';
        await expectRemote(scenario, before, { when: `walked ${again},`, likely });
        const written = scenario.effects.done.slice(length).filter(({ kind }) => kind === 'write');
        expect(
          written.length === 0,
          `walked ${again}, it writes though nothing has changed: ${written.map(({ name }) => name).join(', ')}`,
          likely,
        );
      }
    }),
};

/** Returns the paths at which two specs differ; a value that is not an object in one of them counts as a whole. */
function differing(one: unknown, other: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isJsonObject(one) || !isJsonObject(other)) return [path];
  const members = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return members.flatMap((member) => differing(one[member], other[member], [...path, member]));
}

/** Returns `one` with the value of `other` at a path. */
function withMember(one: unknown, other: unknown, [member, ...rest]: readonly string[]): unknown {
  if (member === undefined || !isJsonObject(one) || !isJsonObject(other)) return other;
  const { [member]: before, ...others } = one;
  const next = withMember(before, other[member], rest);
  return next === undefined ? others : { ...others, [member]: next };
}

/** Limit of the members that are changed one by one. */
const maxMembers = 6;

/** Returns the changes of the spec: each differing member alone, then all of `edited`. */
function editsOf({ spec, edited }: Subject): readonly { readonly to: WorkspaceSpec; readonly what: string }[] {
  const paths = differing(spec, edited).slice(0, maxMembers);
  const single = paths.map((path) => ({ to: withMember(spec, edited, path) as WorkspaceSpec, what: path.join('.') }));
  return [...(paths.length > 1 ? single : []), { to: edited!, what: '' }];
}

/** Returns the external objects of a workspace created with this spec; undefined when the integration does not accept it. */
const madeOf = (subject: Subject, spec: WorkspaceSpec): Promise<readonly string[] | undefined> =>
  Scenario.during(subject, async (scenario) => {
    const isTaken = await scenario.create(spec).then(
      () => true,
      () => false,
    );
    return isTaken && (await scenario.comesTo(['Completed', 'Error'])) && /^Completed/.test(scenario.condition)
      ? scenario.describeRemote()
      : undefined;
  });

const follows: Case = {
  name: 'follows',
  title: 'changes with the spec',
  lacks: lacking('edited'),
  async prove(subject) {
    for (const { to, what } of editsOf(subject)) {
      const expected = await madeOf(subject, to);
      if (expected === undefined && what !== '') continue;
      await Scenario.during(subject, async (scenario) => {
        await scenario.create();
        await expectCompleted(scenario);
        await scenario.edit(to);
        await scenario.work();
        const came = await scenario.until(async () => (await scenario.describeRemote()).join() === expected?.join());
        const when = `after a change of the spec${what === '' ? '' : ` (${what})`}`;
        const likely =
          'update does not carry every member, is never reached, or something else of the old spec is kept: what is wanted is derived from the spec at every walk, and what update answers for has to be so then';
        if (!came) await expectRemote(scenario, expected ?? [], { when, likely });
        await expectCompleted(scenario);
        await expectDeleted(scenario);
      });
    }
  },
};

const unreconciled: Case = {
  name: 'unreconciled',
  title: 'terminates though it never reconciled',
  prove: (subject) =>
    Scenario.during(
      subject,
      async (scenario) => {
        await scenario.create();
        await scenario.work(4);
        scenario.effects.removeFaults();
        if (subject.cannot?.unhandled === undefined) {
          await scenario.edit(subject.unhandled ?? {}); // a workspace that is being deleted is not asked again
          const isReleased = async () => (await scenario.read())?.metadata.finalizers === undefined;
          const isSettled = async () =>
            (await isReleased()) || (await scenario.readCondition()).startsWith('Completed:');
          expect(await scenario.until(isSettled), `the finalizer was never removed: ${await scenario.readCondition()}`);
        }
        await expectDeleted(scenario);
      },
      { cutOffAfter: 'the claim' },
    ),
};

const marks: Case = {
  name: 'marks',
  title: 'marks what it makes in the cluster as the workspace’s',
  lacks: ({ target }) => (target === 'cluster' ? undefined : 'the subject does not declare target: cluster'),
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create();
      await expectCompleted(scenario);
      for (const { kind, name, labels } of await scenario.madeInCluster())
        expect(
          labels?.[instanceLabel] === 'subject',
          `${kind} ${name} has no label ${instanceLabel}`,
          'it was made with a client of its own: create it through the controller, which labels it and has it owned',
        );
    }),
};

/** Cases without faults. */
export const happyPathCases: readonly Case[] = [completes, once, follows, cleansCase, emptiedCase, unreconciled, marks];
