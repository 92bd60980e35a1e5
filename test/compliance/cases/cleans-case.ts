/** Cases of the deletion of a workspace. */

import { isJsonObject, type WorkspaceSpec } from '../../../sdk/index.ts';
import { type Case, expectCompleted, expectDeleted } from '../scenario/case.ts';
import { inContext } from '../scenario/expected-end.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';

/** Returns the value with its nested objects, without their other members. */
const withoutValues = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => isJsonObject(member))
          .map(([name, member]) => [name, withoutValues(member)]),
      )
    : value;

const likely =
  'terminate removes what was recorded, whatever the spec says by then: controller.refs has it, and controller.destroy knows it; the spec may be empty by then, or name other objects';

async function expectNothingLeft(scenario: Scenario): Promise<void> {
  const left = await scenario.remote();
  expect(left.length === 0, `leaked: ${listed(left)} is still there`, likely);
}

/** Runs `end` in a scenario whose workspace is Completed. @param spec of the workspace @param end receives a function that changes the spec, which returns false where the API server refuses it */
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

/** Deletes a workspace after the settings of its spec have been emptied. */
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

/** Reports whether the integration handles the workspace; false where `handles` throws. */
async function isAsked(scenario: Scenario): Promise<boolean> {
  const workspace = await scenario.read();
  try {
    return workspace !== undefined && scenario.integration().handles(workspace);
  } catch {
    return false;
  }
}

/** Replaces the spec of a workspace, which is not deleted, by one that does not request the integration. */
const emptied = (subject: Subject): Promise<void> =>
  withCompleted(subject, undefined, async (scenario, change) => {
    if (!(await change(subject.unhandled ?? {})) || (await isAsked(scenario))) return;
    const isReleased = await scenario.until(async () => (await scenario.read())?.metadata.finalizers === undefined);
    if (!isReleased) fail(`the finalizer was never removed: ${await scenario.readCondition()}`, likely);
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

/** Case of a spec that is invalid, requests something else or nothing when external objects are to be deleted. */
export const emptiedCase: Case = {
  name: 'emptied',
  title: 'removes what it has made, whatever the spec says by then',
  async prove(subject) {
    const { spec, edited, cannot } = subject;
    if (spec.integrations !== undefined)
      await inContext('deleted after all details of its spec were taken out', () => deletedAfterEmptying(subject));
    if (cannot?.unhandled === undefined)
      await inContext('its spec was emptied, and it lives on', () => emptied(subject));
    if (edited !== undefined)
      await inContext('deleted right after a change of its spec', () => deletedAfterEdit(subject, edited));
  },
};
