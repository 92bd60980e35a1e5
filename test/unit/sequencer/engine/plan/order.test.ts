import test from 'ava';
import { defineIntegration, type Integration, outputReferences } from '../../../../../sdk/index.ts';
import { orderOf } from '../../../../../sequencer/engine/plan/order.ts';
import { aWorkspace } from '../../../a-workspace.ts';

/** An integration with the output `host`, which uses what the spec says in `integrations.<name>`. */
const integration = (name: string, condition: string, more: Partial<Integration> = {}): Integration =>
  defineIntegration({
    name,
    condition,
    outputs: { host: { description: 'its host' } },
    references: ({ spec }) => outputReferences(spec.integrations?.[name]),
    handles: ({ spec }) => spec.integrations?.[name] !== undefined,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
    ...more,
  });

const web = integration('web', 'Web');
const all = [web, integration('pg', 'Database'), integration('s3', 'Bucket', { after: ['Database'], outputs: {} })];
const using = (text: string, more: object = {}) => ({ integrations: { pg: '', web: text, ...more } });

test('the order follows after and references, and only after where references make a circle', (t) => {
  const straight = aWorkspace({ spec: using('${outputs::Database.host}', { s3: '${outputs::Web.host}' }) });
  const order = orderOf(straight, all);
  t.deepEqual(
    all.map((one) => order.before(one)),
    [['Database'], [], ['Database', 'Web']],
  );
  const circle = aWorkspace({ spec: using('${outputs::Bucket.url}', { s3: '${outputs::Web.host}' }) });
  t.deepEqual(
    all.map((one) => orderOf(circle, all).before(one)),
    [[], [], ['Database']],
  );
});

test('the cycle of an integration begins and ends with its condition; without one there is none', (t) => {
  const circle = aWorkspace({ spec: using('${outputs::Database.host}', { pg: '${outputs::Web.host}' }) });
  const { cycleOf } = orderOf(circle, all);
  t.deepEqual(cycleOf(web), ['Web', 'Database', 'Web']);
  t.is(orderOf(aWorkspace({ spec: using('no reference') }), all).cycleOf(web), undefined);
});

test('references that fail order nothing', (t) => {
  const failing: Integration = {
    ...web,
    references: () => {
      throw new Error('no such member');
    },
  };
  t.deepEqual(orderOf(aWorkspace({ spec: using('') }), [failing]).before(failing), []);
});
