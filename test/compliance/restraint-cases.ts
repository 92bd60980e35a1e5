import { inspect } from 'node:util';
import { pausedAnnotation } from '../../sdk/index.ts';
import { arrive, type Case, has } from './case.ts';
import { Life } from './life.ts';
import { expect } from './report.ts';
import { shownSecret } from './secret-forms.ts';

const likelyPast =
  'the third party is called past the guard: by a timer, in handles or connect, or by a promise that is not awaited; call it in a task of controller.guard, or in a function of a resource, and await it';

const paused: Case = {
  name: 'paused',
  title: 'touches nothing while paused',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create(subject.spec, { annotations: { [pausedAnnotation]: 'true' } });
      await life.work();
      await has(life, [], { when: 'while the workspace is paused', likely: likelyPast });
      await life.annotate({ [pausedAnnotation]: null });
      const before = await arrive(life);
      if (subject.edited === undefined) return;
      await life.annotate({ [pausedAnnotation]: 'true' });
      await life.edit(subject.edited);
      await life.work();
      await has(life, before, { when: 'edited while the workspace is paused,', likely: likelyPast });
    }),
};

const locked: Case = {
  name: 'locked',
  title: 'touches nothing while another holder has its guard',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      const held = { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'another/holder', leaseSeconds: 3_600 };
      await life.create();
      await life.journal({ [life.conditionType]: held });
      await life.work(3);
      await has(life, [], { when: 'while another holder has the guard', likely: likelyPast });
      expect(
        life.effects.calls.length === 0,
        `it calls ${life.effects.calls[0]?.name} while another holder has the guard`,
        likelyPast,
      );
    }),
};

const unasked: Case = {
  name: 'unasked',
  title: 'touches nothing for a workspace that does not ask for it',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create(subject.unasked ?? {});
      await life.work();
      await has(life, [], {
        when: 'for a workspace that does not ask for it,',
        likely: 'handles answers true for every workspace, or something is done outside of reconcile: see handles',
      });
      const { finalizers = [] } = (await life.read())!.metadata;
      expect(
        finalizers.length === 0,
        'it claims a workspace that does not ask for it',
        'handles answers true for every workspace; if each one does ask for it, say so by cannot: { unasked }',
      );
    }),
};

/** Captures the output during a function, which is also printed. */
async function printedDuring(act: () => Promise<void>): Promise<readonly string[]> {
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

/** Runs a life that begins with refused calls and records its texts. */
async function eloquentLife(life: Life): Promise<void> {
  const { subject } = life;
  await life.create();
  if (subject.failures?.definite !== undefined) await life.comesTo(['Error']);
  life.effects.calm();
  await life.comesTo(['Completed']);
  if (subject.edited !== undefined) await life.edit(subject.edited);
  await life.work();
  await life.delete();
  await life.comesTo(['Gone']);
}

const secrets: Case = {
  name: 'secrets',
  title: 'keeps secrets out of workspaces, events, logs and errors, in any encoding',
  prove: (subject) =>
    Life.during(
      subject,
      async (life) => {
        const printed = await printedDuring(() => eloquentLife(life));
        const secrets = [...(subject.secrets ?? []), ...life.record.secrets];
        if (secrets.length === 0) return 'the subject declares no secrets, and no resource has answered one';
        const errors = life.record.thrown.map(({ error }) => inspect(error));
        const places = {
          'what is written of the workspace': life.said,
          'what it prints': printed,
          'an error it throws': errors,
        };
        for (const [where, texts] of Object.entries(places)) {
          const shown = shownSecret(texts, secrets);
          expect(
            shown === undefined,
            `a secret shows ${shown?.form} in ${where}: …${shown?.around}…`,
            'ids, reasons, names, messages and logs are read by many: encoding hides nothing; keep a secret in a Secret, and name that',
          );
        }
        return undefined;
      },
      subject.failures?.definite === undefined ? {} : { fault: () => ({ kind: 'definite' }) },
    ),
};

/** Cases of workspaces that an integration must leave alone. */
export const restraintCases: readonly Case[] = [locked, paused, unasked, secrets];
