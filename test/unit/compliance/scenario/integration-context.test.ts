import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { defineIntegration } from '../../../../sdk/index.ts';
import { type IntegrationContext, type Subject, type ThirdParty, testIntegration } from '../../../compliance/index.ts';
import { Scenario } from '../../../compliance/scenario/scenario.ts';

type Case = readonly [title: string, run: () => Promise<void>];

/** Returns the cases of a subject, to be run one by one. */
function casesOf(subject: Subject): readonly Case[] {
  const cases: Case[] = [];
  testIntegration((title, run) => cases.push([title, run]), subject);
  return cases;
}

const bell = ({ fetch }: IntegrationContext) =>
  defineIntegration({
    name: 'bell',
    condition: 'Bell',
    handles: ({ spec }) => spec.integrations?.bell !== undefined,
    connect: ({ controller }) => ({
      async reconcile() {
        if (controller.condition.status === 'Completed') return;
        await controller.guard('ringing', async ({ signal }) => {
          const answer = await fetch('https://bell.example/rings', { method: 'POST', body: 'ding', signal });
          return { status: 'Completed', reason: await answer.text() };
        });
      },
      terminate: () => controller.updateCondition('Terminated', 'silent'),
    }),
  });

const subject = (start: () => ThirdParty): Subject => ({
  identity: 'opaque',
  spec: { integrations: { bell: {} } },
  start,
});

test('a third party that speaks HTTP may live in the test: it answers what is fetched', async (t) => {
  const rings: string[] = [];
  const [[title, run]] = casesOf(
    subject(() => ({
      integration: bell,
      remote: () => rings,
      async fetch(input, init) {
        const { url, method } = new Request(input, init);
        rings.push(`${method} ${url} ${init?.body}`);
        return new Response('rang', { status: 201 });
      },
    })),
  ) as readonly [Case];
  t.is(title, 'brings its condition to Completed');
  await run();
  t.deepEqual(rings, ['POST https://bell.example/rings ding']);
});

test('a third party is closed after it was asked what a crash at the very end has left', async (t) => {
  let isClosed = false;
  const lateQuestion = Promise.withResolvers<boolean>();
  const party: ThirdParty = {
    integration: bell,
    async remote() {
      await setTimeout(2);
      lateQuestion.resolve(isClosed);
      if (isClosed) throw new Error('closed');
      return [];
    },
    close: () => {
      isClosed = true;
    },
  };
  await Scenario.during(
    subject(() => party),
    async (scenario) => scenario.crash(),
  );
  t.false(await lateQuestion.promise);
});

test('a third party that is asked by the global fetch what it holds answers at a crash, too', async (t) => {
  let isAsked = false;
  const party: ThirdParty = {
    integration: bell,
    fetch: async () => new Response('rang'),
    async remote() {
      const answer = await fetch('data:application/json,["ding"]');
      isAsked = true;
      return (await answer.json()) as readonly string[];
    },
  };
  const atCrash = await Scenario.during(
    subject(() => party),
    async (scenario) => {
      await scenario.create();
      await scenario.until(() => scenario.run > 1 && isAsked);
      return scenario.atCrash;
    },
    { crash: { effect: 4, side: 'after' } },
  );
  t.deepEqual(atCrash, ['ding']);
});

test('what starts no third party is told so', async (t) => {
  const [[, run]] = casesOf(subject(() => ({ integration: bell }) as unknown as ThirdParty)) as readonly [Case];
  await t.throwsAsync(run(), { message: 'testIntegration: start() must answer a function remote' });
});

test('chance is the same in each scenario: whatever takes it from the run repeats itself', async (t) => {
  const scenarios: number[][] = [];
  const drawing = subject(() => {
    const draws: number[] = [];
    scenarios.push(draws);
    return {
      integration: (run) => {
        draws.push(run.random(), run.random());
        return bell(run);
      },
      remote: () => [],
      fetch: async () => new Response('rang', { status: 201 }),
    };
  });
  for (let scenario = 0; scenario < 3; scenario += 1) await Scenario.during(drawing, async () => undefined);
  const [first, ...others] = scenarios as [number[], ...number[][]];
  t.true(first.length >= 2 && new Set(first).size === first.length);
  t.true(first.every((draw) => draw >= 0 && draw < 1));
  for (const draws of others) t.deepEqual(draws, first);
});
