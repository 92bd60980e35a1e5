/** Cases of ids that were copied, forged or restored from a backup. */

import { isDeepStrictEqual } from 'node:util';
import { conditionOf, isDeleting, mirrorAnnotation, type Workspace as WorkspaceObject } from '../../../sdk/index.ts';
import { expectOwnerMark } from '../resource/owner-mark.ts';
import { proveReplaceMark } from '../resource/replace-mark-checks.ts';
import { withCreatedObjects } from '../resource/resource-caller.ts';
import { type Case, expectCompleted, expectDeleted } from '../scenario/case.ts';
import { inContext } from '../scenario/expected-end.ts';
import { idOf, listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { metadataInBackup, restore } from '../scenario/restore.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { RemoteObject, Subject } from '../subject/subject.ts';

const rests = ['Completed', 'Error', 'Unknown', 'Waiting'];

/** Returns the objects of `before` that are gone or changed. */
function missing(before: readonly RemoteObject[], now: readonly RemoteObject[]): readonly RemoteObject[] {
  return before.filter((thing) => !now.some((one) => isDeepStrictEqual(one, thing)));
}

/** Objects of one workspace, whose ids another one has in its annotations. */
class Claim {
  readonly scenario: Scenario;
  readonly original: WorkspaceObject;
  readonly before: readonly RemoteObject[];
  readonly likely: string;

  constructor(
    scenario: Scenario,
    original: WorkspaceObject,
    expectation: { readonly before: readonly RemoteObject[]; readonly likely: string },
  ) {
    this.scenario = scenario;
    this.original = original;
    this.before = expectation.before;
    this.likely = expectation.likely;
  }

  /** @throws Finding when an object of the original is gone or changed */
  async expectUntouched(when: string): Promise<void> {
    const lost = missing(this.before, await this.scenario.remote());
    expect(lost.length === 0, `${when}, what the original had made is gone or changed: ${listed(lost)}`, this.likely);
  }

  /** Edits and deletes the other workspace. @throws Finding when an object of the original is gone or changed */
  async expectOriginalUnaffected(name: string, { spec, edited }: Subject): Promise<void> {
    const { scenario } = this;
    await this.expectUntouched(`${name} came to rest`);
    if (edited !== undefined) {
      await scenario.edit(edited, name);
      await scenario.work(30);
      await this.expectUntouched(`${name} was changed`);
      await scenario.edit(spec, name);
      await scenario.work(30);
    }
    await scenario.delete(name);
    if (!(await scenario.comesTo(['Gone'], name))) fail(`${name} was never gone: ${scenario.condition}`, this.likely);
    const now = await scenario.remote();
    await this.expectUntouched(`${name} was deleted`);
    expect(
      now.length === this.before.length,
      `${name} was deleted, and left ${listed(missing(now, this.before))}`,
      this.likely,
    );
    if (!(await scenario.comesTo(['Completed'])))
      fail(`the original is not Completed any more: ${scenario.condition}`, this.likely);
  }
}

/** Runs a scenario with a Completed workspace whose ids are copied to another one. */
const withClaim = (subject: Subject, likely: string, act: (claim: Claim) => Promise<void>): Promise<void> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create();
    await expectCompleted(scenario);
    const original = (await scenario.read())!;
    await act(new Claim(scenario, original, { before: await scenario.remote(), likely }));
    await expectDeleted(scenario);
  });

const likelyCopied =
  'ids in annotations are copied with a workspace and prove nothing: an object belongs to this uid only where find, or the guard by its seal, shows it; mark objects by owner.mark, and read the mark before a change or a deletion';

const copied: Case = {
  name: 'copied',
  title: 'leaves alone what the original of a copied workspace has made',
  async prove(subject) {
    for (const withFinalizers of [false, true])
      await inContext(`copied with its annotations${withFinalizers ? ' and finalizers' : ''}`, () =>
        withClaim(subject, likelyCopied, async (claim) => {
          await claim.scenario.create(subject.spec, {
            name: 'copy',
            ...metadataInBackup(claim.original, withFinalizers),
          });
          await claim.scenario.comesTo(rests, 'copy');
          await claim.expectOriginalUnaffected('copy', subject);
        }),
      );
  },
};

type Forgery = (original: WorkspaceObject, forger: WorkspaceObject, type: string) => string;

/** Annotations that a tenant may make from those of another one: the same text, the same with its own name and uid, or the ids alone. */
const forgeries: Readonly<Record<string, Forgery>> = {
  'the other’s annotation': ({ metadata }, _, type) => metadata.annotations?.[mirrorAnnotation(type)] ?? '[]',
  'the other’s annotation under its own name': ({ metadata }, forger, type) =>
    (metadata.annotations?.[mirrorAnnotation(type)] ?? '[]')
      .replaceAll(metadata.uid ?? '', forger.metadata.uid ?? '')
      .replaceAll(`"${metadata.name}"`, `"${forger.metadata.name}"`),
  'the other’s ids': ({ status }, _, type) => JSON.stringify(status?.guards?.[type]?.refs ?? []),
};

/** Writes a forged annotation to the workspace of another tenant, and runs the plug-in on it. */
async function forge(
  { scenario, original }: Claim,
  { subject, isAsked, write }: { readonly subject: Subject; readonly isAsked: boolean; readonly write: Forgery },
): Promise<void> {
  scenario.stopSequencer();
  const forger = await scenario.create(isAsked ? subject.spec : (subject.unhandled ?? {}), { name: 'forger' });
  const text = write(original, forger, scenario.conditionType);
  await scenario.annotate({ [mirrorAnnotation(scenario.conditionType)]: text }, 'forger');
  scenario.startSequencer();
  await (isAsked ? scenario.comesTo(rests, 'forger') : scenario.work(30));
}

const forged: Case = {
  name: 'forged',
  title: 'leaves alone what is another’s, whatever ids its own annotations name',
  async prove(subject) {
    for (const [what, write] of Object.entries(forgeries))
      for (const isAsked of [true, false])
        await inContext(`forged: ${what}${isAsked ? '' : ', on a workspace that asks for nothing'}`, () =>
          withClaim(subject, likelyCopied, async (claim) => {
            await forge(claim, { subject, isAsked, write });
            await claim.expectOriginalUnaffected('forger', {
              ...subject,
              edited: isAsked ? subject.edited : subject.spec,
            });
          }),
        );
  },
};

const likelyRestored =
  'a workspace made again from a backup has another uid: what bears the mark of the former one has to be taken over and marked anew, or the condition has to say at once what a person has to do; never Completed by what an annotation says';

/** Reports whether the condition asks a person to act. */
const asksPerson = (workspace: WorkspaceObject | undefined, type: string): boolean =>
  workspace !== undefined &&
  /^(Error|Unknown)$/.test(conditionOf(workspace, type).status) &&
  conditionOf(workspace, type).reason !== '';

/** Uids that the workspace has had, the current one last. */
type Uids = readonly string[];

/** Expects the same objects as before, with the mark of the current uid where the resource has `replaceMark`. */
async function expectAdopted(scenario: Scenario, before: readonly RemoteObject[], uids: Uids): Promise<void> {
  await scenario.work();
  await expectOwnerMark(scenario, uids);
  if (scenario.subject.time !== 'real') await scenario.wait(400_000);
  const [words, now] = [await scenario.readCondition(), await scenario.remote()];
  expect(words.startsWith('Completed'), `it said Completed, and later ${words}`, likelyRestored);
  expect(
    isDeepStrictEqual(now.map(idOf).sort(), before.map(idOf).sort()),
    `the third party has ${listed(now)} instead of ${listed(before)}`,
    likelyRestored,
  );
}

async function restoredScenario(scenario: Scenario, withFinalizers: boolean): Promise<void> {
  const uids = [(await scenario.create()).metadata.uid!];
  await expectCompleted(scenario);
  const before = await scenario.remote();
  for (const time of ['', 'restored again, ']) {
    uids.push((await restore(scenario, withFinalizers)).metadata.uid!);
    const came = await scenario.comesTo(['Completed', 'Error', 'Unknown']);
    if (!came) fail(`${time}it never came to rest: ${scenario.condition}`, likelyRestored);
    if (scenario.condition.includes('bears the mark of')) await expectOwnerMark(scenario, uids);
    if (!scenario.condition.startsWith('Completed')) break; // a person is asked
    await expectAdopted(scenario, before, uids);
  }
  await scenario.delete();
  const gone = await scenario.comesTo(['Gone', 'Deleting, Unknown', 'Deleting, Error']);
  const workspace = await scenario.read();
  if (workspace !== undefined && isDeleting(workspace) && asksPerson(workspace, scenario.conditionType)) return;
  expect(gone && workspace === undefined, `the workspace was never gone: ${scenario.condition}`, likelyRestored);
  const left = await scenario.remote();
  expect(left.length === 0, `leaked: ${listed(left)} is still there after the workspace is gone`, likelyRestored);
}

const restored: Case = {
  name: 'restored',
  title: 'continues with the same objects when its workspace comes back from a backup, or says what a person has to do',
  lacks: ({ target }) =>
    target === 'cluster' ? 'objects of the cluster go with their owner, or are restored with it' : undefined,
  async prove(subject) {
    for (const withFinalizers of [false, true])
      await inContext(`restored with its annotations${withFinalizers ? ' and finalizers' : ''}, without status`, () =>
        Scenario.during(subject, (scenario) => restoredScenario(scenario, withFinalizers)),
      );
    await withCreatedObjects(subject, proveReplaceMark, 'replaceMark');
  },
};

/** Cases of ids that were copied or forged. */
export const provenanceCases: readonly Case[] = [copied, forged, restored];
