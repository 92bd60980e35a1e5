import test, { type ExecutionContext } from 'ava';
import { createClient, Workspace } from '../../../../sdk/index.ts';
import { accessByReview } from '../../../../sequencer/page/review-access.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../cluster/index.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** A cluster with RBAC, its access by reviews, and service accounts with roles. */
async function aCourt(t: ExecutionContext) {
  const cluster = await createCluster({ rbac: true });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  t.teardown(async () => {
    await client.close();
    await cluster.close();
  });
  const asked: string[] = [];
  let down = false;
  const clock = createManualClock();
  const access = (namespace?: string) =>
    accessByReview({
      clock,
      namespace,
      client: {
        raw: async (...call) => {
          asked.push(call[1].split('/').at(-1) ?? '');
          if (down) throw new Error('the API server is away');
          return client.raw(...call);
        },
      },
    });
  return {
    client,
    clock,
    asked,
    access,
    breakDown: () => {
      down = true;
    },
    async tokenOf(name: string): Promise<string> {
      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      await client.raw('POST', accounts, { metadata: { name } });
      const answer = await client.raw('POST', `${accounts}/${name}/token`, { spec: { expirationSeconds: 600 } });
      return (answer as { status: { token: string } }).status.token;
    },
    async permit(name: string, namespace: string, resource: string) {
      const rules = [
        { apiGroups: [resource === 'events' ? '' : Workspace.group], resources: [resource], verbs: ['list'] },
      ];
      const metadata = { name: `${name}-${resource}` };
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name };
      const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
      const roles = `${rbac}/namespaces/${namespace}`;
      await client.raw('POST', `${roles}/roles`, { metadata, rules });
      await client.raw('POST', `${roles}/rolebindings`, { metadata, roleRef, subjects });
    },
  };
}

test('a user sees the namespaces whose workspaces may be listed, and the events of those whose events may be', async (t) => {
  const { access, tokenOf, permit } = await aCourt(t);
  const token = await tokenOf('alice');
  await permit('alice', 'default', 'workspaces');
  const viewer = await access().admit(token);
  t.is(viewer?.name, 'system:serviceaccount:default:alice');
  t.true(await viewer?.mayList('default'));
  t.false(await viewer?.mayList('kube-system'));
  t.false(await viewer?.mayList(undefined));
  t.false(await viewer?.mayListEvents('default'));
  const own = await access('default').admit(token);
  t.true(await own?.mayList(undefined), 'all of an operator of one namespace');
});

test('a token that this server did not issue admits no client', async (t) => {
  const { access, tokenOf } = await aCourt(t);
  const token = await tokenOf('alice');
  for (const wrong of ['abc', `${token.slice(0, -3)}xyz`]) t.is(await access().admit(wrong), undefined);
});

test('answers are trusted for a minute, refusals for ten seconds, and then asked for again', async (t) => {
  const { access, tokenOf, permit, asked, clock } = await aCourt(t);
  const token = await tokenOf('alice');
  const page = access();
  const viewer = await page.admit(token);
  await Promise.all([page.admit(token), page.admit(token), viewer?.mayList('default'), viewer?.mayList('default')]);
  t.deepEqual(asked, ['tokenreviews', 'subjectaccessreviews']);
  await permit('alice', 'default', 'workspaces');
  t.false(await viewer?.mayList('default'));
  await clock.advance(10_000);
  t.true(await viewer?.mayList('default'));
  await clock.advance(50_000);
  await page.admit(token);
  t.is(asked.filter((path) => path === 'tokenreviews').length, 2);
});

test('without an answer of the API server no client is admitted, and nothing is shown', async (t) => {
  const { access, tokenOf, breakDown, clock } = await aCourt(t);
  const token = await tokenOf('alice');
  const page = access();
  const viewer = await page.admit(token);
  breakDown();
  await t.throwsAsync(async () => viewer?.mayList('default'), { message: /away/ });
  await clock.advance(60_000);
  await t.throwsAsync(page.admit(token), { message: /away/ });
});

test('a flood of tokens is not passed on', async (t) => {
  const { access, asked } = await aCourt(t);
  const page = access();
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, number) => page.admit(`token-${number}`)));
  t.is(outcomes.filter(({ status }) => status === 'rejected').length, 42);
  t.is(asked.length, 8);
});
