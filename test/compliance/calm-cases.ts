import { instanceLabel } from '../../sdk/index.ts';
import { arrive, type Case, expect, has, lacking, vanish } from './case.ts';
import { Life } from './life.ts';

const completes: Case = {
  name: 'completes',
  title: 'brings its condition to Completed',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create();
      expect((await arrive(life)).length > 0, 'Completed, but nothing exists at the third party');
      expect(
        life.effects.calls.length > 0,
        'no call to the third party was seen: make the integration with run.fetch, or with what run.through(api) answers',
      );
    }),
};

const once: Case = {
  name: 'once',
  title: 'changes nothing when walked again, nor by a fresh sequencer',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create();
      const before = await arrive(life);
      await life.work(4);
      for (const again of ['again', 'by a fresh sequencer']) {
        const { length } = life.effects.done;
        if (again === 'again') await life.annotate({ 'example.com/touched': 'yes' });
        else life.die();
        await life.work();
        await has(life, before, `walked ${again},`);
        const written = life.effects.done.slice(length).filter(({ kind }) => kind === 'write');
        expect(
          written.length === 0,
          `walked ${again}, it writes though nothing has changed: ${written.map(({ name }) => name).join(', ')}`,
        );
      }
    }),
};

const follows: Case = {
  name: 'follows',
  title: 'changes with the spec',
  lacks: lacking('edited'),
  prove: async (subject) => {
    const expected = await Life.during({ ...subject, spec: subject.edited! }, async (life) => {
      await life.create();
      return arrive(life);
    });
    await Life.during(subject, async (life) => {
      await life.create();
      await arrive(life);
      await life.edit(subject.edited!);
      await life.work();
      const came = await life.until(async () => (await life.words()).join() === expected.join());
      if (!came) await has(life, expected, 'after a change of the spec');
      await arrive(life);
      await vanish(life);
    });
  },
};

const cleans: Case = {
  name: 'cleans',
  title: 'leaves nothing behind when the workspace is deleted',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create();
      await arrive(life);
      await vanish(life);
    }),
};

const unreconciled: Case = {
  name: 'unreconciled',
  title: 'terminates though it never reconciled',
  prove: (subject) =>
    Life.during(
      subject,
      async (life) => {
        await life.create();
        await life.work(4);
        life.effects.calm();
        if (subject.cannot?.unasked === undefined) {
          await life.edit(subject.unasked ?? {}); // of a workspace that is deleted it would not be asked
          const isLetGo = async () => (await life.read())?.metadata.finalizers === undefined;
          const isSettled = async () => (await isLetGo()) || (await life.look()).startsWith('Completed:');
          expect(await life.until(isSettled), `the workspace was never let go: ${await life.look()}`);
        }
        await vanish(life);
      },
      { cutOffAfter: 'the claim' },
    ),
};

const marks: Case = {
  name: 'marks',
  title: 'marks what it makes in the cluster as the workspace’s',
  lacks: ({ reaches }) =>
    reaches === 'cluster' ? undefined : 'the subject does not declare that it reaches the cluster',
  prove: (subject) =>
    Life.during(subject, async (life) => {
      await life.create();
      await arrive(life);
      for (const { kind, name, labels } of await life.madeInCluster())
        expect(
          labels?.[instanceLabel] === 'subject',
          `${kind} ${name} has no label ${instanceLabel}: create it through the controller`,
        );
    }),
};

/** What every integration does when nothing goes wrong. */
export const calmCases: readonly Case[] = [completes, once, follows, cleans, unreconciled, marks];
