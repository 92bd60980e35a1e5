/** Cases in which an integration must change or reveal nothing: locked, paused and unrequested workspaces, and secrets. */

import { inspect } from 'node:util';
import { pausedAnnotation } from '../../../sdk/index.ts';
import { type Case, expectCompleted, expectRemote } from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';
import { findSecret } from '../subject/secret-forms.ts';

const likelyPast =
  'the third party is called past the guard: by a timer, in handles or connect, or by a promise that is not awaited; call it in a task of controller.guard, or in a function of a resource, and await it';

const paused: Case = {
  name: 'paused',
  title: 'touches nothing while paused',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create(subject.spec, { annotations: { [pausedAnnotation]: 'true' } });
      await scenario.work();
      await expectRemote(scenario, [], { when: 'while the workspace is paused', likely: likelyPast });
      await scenario.annotate({ [pausedAnnotation]: null });
      const before = await expectCompleted(scenario);
      if (subject.edited === undefined) return;
      await scenario.annotate({ [pausedAnnotation]: 'true' });
      await scenario.edit(subject.edited);
      await scenario.work();
      await expectRemote(scenario, before, { when: 'edited while the workspace is paused,', likely: likelyPast });
    }),
};

const locked: Case = {
  name: 'locked',
  title: 'touches nothing while another holder has its guard',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      const held = { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'another/holder', leaseSeconds: 3_600 };
      await scenario.create();
      await scenario.journal({ [scenario.conditionType]: held });
      await scenario.work(3);
      await expectRemote(scenario, [], { when: 'while another holder has the guard', likely: likelyPast });
      expect(
        scenario.effects.calls.length === 0,
        `it calls ${scenario.effects.calls[0]?.name} while another holder has the guard`,
        likelyPast,
      );
    }),
};

const unhandled: Case = {
  name: 'unhandled',
  title: 'touches nothing for a workspace that does not ask for it',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      await scenario.create(subject.unhandled ?? {});
      await scenario.work();
      await expectRemote(scenario, [], {
        when: 'for a workspace that does not ask for it,',
        likely: 'handles answers true for every workspace, or something is done outside of reconcile: see handles',
      });
      const { finalizers = [] } = (await scenario.read())!.metadata;
      expect(
        finalizers.length === 0,
        'it claims a workspace that does not ask for it',
        'handles answers true for every workspace; if each one does ask for it, say so by cannot: { unhandled }',
      );
    }),
};

/** Captures what is printed during a function. @returns the chunks of stdout and stderr */
async function captureOutput(act: () => Promise<void>): Promise<readonly string[]> {
  const printed: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  for (const stream of streams) {
    const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
    stream.write = (...args: readonly unknown[]) => {
      printed.push(String(args[0]));
      return write(...args);
    };
  }
  await act().finally(() => {
    for (const [index, stream] of streams.entries()) stream.write = writes[index]!;
  });
  return printed;
}

/** Runs a change whose calls are refused at first, where the subject declares refusals. */
async function refusedAtFirst(scenario: Scenario, change: () => Promise<unknown>): Promise<void> {
  const { subject, effects } = scenario;
  if (subject.failures?.definite !== undefined) effects.plan = { fault: () => ({ kind: 'definite' }) };
  await change();
  await scenario.work();
  effects.removeFaults();
}

/** Runs a scenario whose creation, edit and deletion are refused at first, and whose texts are recorded. */
async function verboseScenario(scenario: Scenario): Promise<void> {
  const { edited } = scenario.subject;
  await refusedAtFirst(scenario, () => scenario.create());
  await scenario.comesTo(['Completed']);
  if (edited !== undefined) await refusedAtFirst(scenario, () => scenario.edit(edited));
  await scenario.comesTo(['Completed']);
  await refusedAtFirst(scenario, () => scenario.delete());
  await scenario.comesTo(['Gone']);
}

const secrets: Case = {
  name: 'secrets',
  title: 'keeps secrets out of workspaces, events, logs and errors, in any encoding',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      const printed = await captureOutput(() => verboseScenario(scenario));
      const secrets = [...(subject.secrets ?? []), ...scenario.record.secrets];
      if (secrets.length === 0) return 'the subject declares no secrets, and no resource has answered one';
      const errors = scenario.record.thrown.map(({ error }) => inspect(error));
      const places = {
        'what is written of the workspace': scenario.writtenTexts,
        'what it prints': printed,
        'an error it throws': errors,
      };
      for (const [where, texts] of Object.entries(places)) {
        const shown = findSecret(texts, secrets);
        expect(
          shown === undefined,
          `a secret appears ${shown?.form} in ${where}: …${shown?.around}…`,
          'ids, reasons, names, messages and logs are read by many: encoding hides nothing; keep a secret in a Secret, and name that',
        );
      }
      return undefined;
    }),
};

/** Cases in which an integration must change or reveal nothing. */
export const noOpCases: readonly Case[] = [locked, paused, unhandled, secrets];
