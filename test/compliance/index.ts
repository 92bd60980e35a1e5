/**
 * Proves an integration: `workspace-sequencer/test/compliance`.
 *
 * @packageDocumentation
 */
import assert from 'node:assert/strict';
import { instanceLabel, pausedAnnotation, Workspace } from '../../sdk/index.ts';
import { crashSweep } from './crash.ts';
import { Life } from './life.ts';
import type { Subject, SubjectFor, TestFunction } from './subject.ts';

export type { Subject, SubjectFor, SubjectHost, TestFunction } from './subject.ts';

type Proof = (life: Life) => Promise<void>;

/** One thing every integration has to do, and whether a subject says enough to test it. */
interface Claim {
  readonly title: string;
  readonly proof: Proof;
  readonly applies?: (subject: Subject) => boolean;
}

async function arrive(life: Life): Promise<readonly string[]> {
  assert.ok(await life.until('Completed'), `it never was Completed: ${await life.condition()}`);
  return life.remote();
}

async function vanish(life: Life): Promise<void> {
  await life.delete();
  assert.ok(await life.until('Gone'), `it was never gone: ${await life.condition()}`);
  assert.deepEqual(await life.remote(), [], 'something is left at the third party');
}

const annotate = (life: Life, annotations: Readonly<Record<string, string | null>>) =>
  life.stage.client.patch(
    Workspace,
    { namespace: 'default', name: 'subject' },
    { type: 'merge', value: { metadata: { annotations } } },
  );

const claims: readonly Claim[] = [
  {
    title: 'brings its condition to Completed',
    proof: async (life) => {
      await life.create();
      assert.notDeepEqual(await arrive(life), [], 'Completed, but nothing exists at the third party');
    },
  },
  {
    title: 'changes nothing when walked again',
    proof: async (life) => {
      await life.create();
      const before = await arrive(life);
      const { revision } = life.stage.cluster;
      await life.walk();
      assert.deepEqual(await life.remote(), before);
      assert.equal(life.stage.cluster.revision, revision, 'something was written although nothing had changed');
    },
  },
  {
    title: 'leaves nothing behind when the workspace is deleted',
    proof: async (life) => {
      await life.create();
      await arrive(life);
      await vanish(life);
    },
  },
  {
    title: 'changes with the spec',
    applies: ({ edited }) => edited !== undefined,
    proof: async (life) => {
      await life.create();
      const before = await arrive(life);
      await life.edit(life.subject.edited!);
      await life.walk();
      await arrive(life);
      assert.notDeepEqual(await life.remote(), before, 'the spec has changed, and what exists has not');
      await vanish(life);
    },
  },
  {
    title: 'terminates though it never reconciled',
    proof: async (life) => {
      const undo = life.stage.cluster.intercept((request, next) =>
        request.url.includes('/status') ? Promise.reject(new Error('cut off')) : next(request),
      );
      await life.create();
      await life.walk();
      undo();
      await vanish(life);
    },
  },
  {
    title: 'reports a refusal in its condition, and goes on when it is over',
    applies: ({ failNext }) => failNext !== undefined,
    proof: async (life) => {
      life.subject.failNext?.('refused');
      await life.create();
      await life.walk();
      assert.match(await life.condition(), /^Error: ./);
      await arrive(life);
    },
  },
  {
    title: 'makes nothing twice when an answer is lost',
    applies: ({ failNext }) => failNext !== undefined,
    proof: async (life) => {
      const calm = await Life.begin(() => life.subject);
      life.subject.failNext?.('lost');
      await calm.create();
      await calm.until('Completed', 'Unknown');
      const made = await calm.remote();
      assert.equal(new Set(made).size, made.length, `made twice: ${made.join(', ')}`);
      if (!life.subject.mayAsk) await vanish(calm);
    },
  },
  {
    title: 'touches nothing while paused',
    proof: async (life) => {
      await life.create();
      await annotate(life, { [pausedAnnotation]: 'true' });
      await life.walk();
      assert.deepEqual(await life.remote(), []);
      await annotate(life, { [pausedAnnotation]: null });
      await arrive(life);
    },
  },
  {
    title: 'touches nothing while somebody else holds its guard',
    proof: async (life) => {
      const { condition } = life.subject.integration;
      const held = { phase: 'intent', op: 'task', key: 'k', token: 1, holder: 'somebody/else', leaseSeconds: 3_600 };
      await life.create();
      await life.stage.client.patch(
        Workspace,
        { namespace: 'default', name: 'subject' },
        { type: 'merge', value: { status: { guards: { [condition]: held } } } },
        { subresource: 'status' },
      );
      await life.walk();
      assert.deepEqual(await life.remote(), []);
    },
  },
  {
    title: 'touches nothing for a workspace that does not ask for it',
    applies: ({ integration }) => !integration.handles({ apiVersion: '', kind: '', metadata: { name: '' }, spec: {} }),
    proof: async (life) => {
      await life.create({});
      await life.walk();
      assert.deepEqual(await life.remote(), []);
      assert.equal(
        (await life.read())?.metadata.finalizers,
        undefined,
        'it claimed a workspace that does not ask for it',
      );
    },
  },
  {
    title: 'marks what it makes in the cluster as the workspace’s, and keeps secrets to Secrets',
    proof: async (life) => {
      await life.create();
      await arrive(life);
      const said = JSON.stringify([await life.read(), life.events]);
      for (const secret of life.subject.secrets ?? [])
        assert.ok(!said.includes(secret), `a secret shows in the workspace or its events: ${secret.slice(0, 3)}…`);
      for (const kind of ['Pod', 'Service', 'Secret', 'ConfigMap'])
        for (const { metadata } of life.stage.cluster.list({ apiVersion: 'v1', kind }, 'default'))
          if (metadata.name !== 'kube-root-ca.crt')
            assert.equal(
              metadata.labels?.[instanceLabel],
              'subject',
              `${kind} ${metadata.name} has no label ${instanceLabel}`,
            );
    },
  },
];

/** AVA wants an assertion of its own in every test. */
const pass = (context: unknown): void => {
  if (typeof context === 'object' && context !== null && 'pass' in context && typeof context.pass === 'function')
    context.pass();
};

/**
 * Registers the tests that every integration has to pass, each with a fresh subject, a cluster in memory and a clock that stands still until told:
 * happy ends, failures, and a crash of the sequencer before and after every single request. A minute of leases passes in milliseconds.
 *
 * @param test `test` of AVA, node:test, Vitest, or anything that registers a title and an async function
 */
export function testIntegration(test: TestFunction, subjectFor: SubjectFor): void {
  for (const { title, proof, applies = () => true } of claims)
    test(title, async (context) => {
      const life = await Life.begin(subjectFor);
      if (applies(life.subject)) await proof(life);
      pass(context);
    });
  test('survives a crash before and after every request', async (context) => {
    const broken = await crashSweep(subjectFor);
    assert.equal(broken.length, 0, broken.join('\n'));
    pass(context);
  });
}
