import { pausedAnnotation } from '../../sdk/index.ts';
import { arrive, type Case, expect, has, lacking } from './case.ts';
import { Life } from './life.ts';

const paused: Case = {
  name: 'paused',
  title: 'touches nothing while paused',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create(subject.spec, { annotations: { [pausedAnnotation]: 'true' } });
      await life.work();
      await has(life, [], 'while the workspace is paused');
      await life.annotate({ [pausedAnnotation]: null });
      const before = await arrive(life);
      if (subject.edited === undefined) return;
      await life.annotate({ [pausedAnnotation]: 'true' });
      await life.edit(subject.edited);
      await life.work();
      await has(life, before, 'edited while the workspace is paused,');
    }),
};

const locked: Case = {
  name: 'locked',
  title: 'touches nothing while somebody else holds its guard',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      const held = { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'somebody/else', leaseSeconds: 3_600 };
      await life.create();
      await life.journal({ [life.conditionType]: held });
      await life.work(3);
      await has(life, [], 'while somebody else holds the guard');
      expect(
        life.effects.calls.length === 0,
        `it calls ${life.effects.calls[0]?.name} while somebody else holds the guard`,
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
      await has(life, [], 'for a workspace that does not ask for it,');
      const { finalizers = [] } = (await life.read())!.metadata;
      expect(
        finalizers.length === 0,
        'it claims a workspace that does not ask for it: see handles; if every workspace does, say so by cannot: { unasked }',
      );
    }),
};

const secrets: Case = {
  name: 'secrets',
  title: 'keeps secrets out of workspaces and events',
  lacks: lacking('secrets'),
  prove: (subject) =>
    Life.during(
      subject,
      async (life) => {
        await life.create();
        if (subject.failures?.definite !== undefined) await life.comesTo(['Error']);
        life.effects.calm();
        await life.comesTo(['Completed']);
        if (subject.edited !== undefined) await life.edit(subject.edited);
        await life.work();
        await life.delete();
        await life.comesTo(['Gone']);
        for (const secret of subject.secrets!) {
          const text = life.said.find((said) => said.includes(secret)) ?? '';
          const around = text
            .slice(Math.max(0, text.indexOf(secret) - 60))
            .replaceAll(secret, '<secret>')
            .slice(0, 120);
          expect(text === '', `a secret shows in what is written of the workspace: …${around}…`);
        }
      },
      subject.failures?.definite === undefined ? {} : { fault: () => 'definite' },
    ),
};

/** What an integration has to leave alone. */
export const restraintCases: readonly Case[] = [locked, paused, unasked, secrets];
