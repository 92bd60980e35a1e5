/** Cases of the end of a workspace. */

import { isJsonObject, type WorkspaceSpec } from '../../../sdk/index.ts';
import { type Case, expectCompleted, expectDeleted } from '../scenario/case.ts';
import { inContext } from '../scenario/expected-end.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

/** Returns the value with its objects, and nothing in them. */
const withoutValues = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => isJsonObject(member))
          .map(([name, member]) => [name, withoutValues(member)]),
      )
    : value;

const likely =
  'terminate removes what was recorded, whatever the spec says by then: controller.refs has it, and controller.destroy knows it; the spec may be empty by then, or name other things';

async function expectNothingLeft(scenario: Scenario): Promise<void> {
  const left = await scenario.remote();
  expect(left.length === 0, `leaked: ${listed(left)} is still there`, likely);
}

/** Runs `end` in a scenario whose workspace is Completed. @param spec is asked for before; where the API server refuses it nothing is proved */
const withCompleted = (
  subject: Subject,
  spec: WorkspaceSpec | undefined,
  end: (scenario: Scenario, change: (spec: WorkspaceSpec) => Promise<boolean>) => Promise<void>,
): Promise<void> =>
  Scenario.during(subject, async (scenario) => {
    await scenario.create(spec);
    await expectCompleted(scenario);
    const change = (to: WorkspaceSpec) =>
      scenario.edit(to).then(
        () => true,
        () => false,
      );
    await end(scenario, change);
  });

async function expectGone(scenario: Scenario): Promise<void> {
  if (!(await scenario.comesTo(['Gone']))) fail(`the workspace was never gone: ${scenario.condition}`, likely);
  await expectNothingLeft(scenario);
}

/** Deletes a workspace whose spec has lost what it asked for in detail, so that it is a mistake, as users make them. */
const deletedAfterEmptying = (subject: Subject): Promise<void> =>
  withCompleted(subject, undefined, async (scenario, change) => {
    const { integrations = {}, ...rest } = subject.spec;
    if (!(await change({ ...rest, integrations: withoutValues(integrations) as typeof integrations }))) return;
    await scenario.work();
    await scenario.delete();
    await expectGone(scenario);
  });

/** Changes the spec and deletes the workspace before the integration has seen the change. */
const deletedAfterEdit = (subject: Subject, spec: WorkspaceSpec): Promise<void> =>
  withCompleted(subject, undefined, async (scenario, change) => {
    scenario.stopSequencer();
    if (!(await change(spec))) return;
    await scenario.delete();
    await expectGone(scenario);
  });

/** Reports whether the integration takes the workspace for one that asks for it, as the case `unasked` tells. */
async function isAsked(scenario: Scenario): Promise<boolean> {
  const workspace = await scenario.read();
  try {
    return workspace !== undefined && scenario.integration().handles(workspace);
  } catch {
    return false;
  }
}

/** Takes the whole request out of the spec of a workspace that lives on. */
const emptied = (subject: Subject): Promise<void> =>
  withCompleted(subject, undefined, async (scenario, change) => {
    if (!(await change(subject.unasked ?? {})) || (await isAsked(scenario))) return;
    const isReleased = await scenario.until(async () => (await scenario.read())?.metadata.finalizers === undefined);
    if (!isReleased) fail(`the workspace was never let go: ${await scenario.readCondition()}`, likely);
    await expectNothingLeft(scenario);
  });

/** Case of deletion. */
export const cleansCase: Case = {
  name: 'cleans',
  title: 'leaves nothing behind when the workspace is deleted',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create();
      await expectCompleted(scenario);
      await expectDeleted(scenario);
    }),
};

/** Case of a spec that is a mistake, asks for something else, or for nothing, by the time that its things are to go. */
export const emptiedCase: Case = {
  name: 'emptied',
  title: 'removes what it has made, whatever the spec says by then',
  async prove(subject) {
    const { spec, edited, cannot } = subject;
    if (spec.integrations !== undefined)
      await inContext('deleted after all details of its spec were taken out', () => deletedAfterEmptying(subject));
    if (cannot?.unasked === undefined) await inContext('its spec was emptied, and it lives on', () => emptied(subject));
    if (edited !== undefined)
      await inContext('deleted right after a change of its spec', () => deletedAfterEdit(subject, edited));
  },
};
