import test from 'ava';
import { checkedSilenceOptions } from '../../../../integrations/notify/silence-options.ts';
import { silenceResource } from '../../../../integrations/notify/silence-resource.ts';
import { DefiniteError, type Owner } from '../../../../sdk/index.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { alertmanagerStandIn } from './fixtures/alertmanager-stand-in.ts';

const owner = (uid: string): Owner => ({
  uid,
  namespace: 'default',
  workspace: 'shop',
  condition: 'Silenced',
  slot: '',
  mark: `${uid}/Silenced/`,
});
const { signal } = new AbortController();
const wanted = {
  text: 'hush (until 2026-01-01T00:00:00.000Z, se.quencer.io 7/Silenced/)',
  labels: [{ name: 'a', value: 'b' }],
};

function aResource() {
  const clock = createManualClock();
  const server = alertmanagerStandIn(clock);
  const options = checkedSilenceOptions({ url: 'https://alerts.example.test', fetch: server.fetch, clock });
  return { clock, server, resource: silenceResource(options) };
}

const create = ({ resource }: ReturnType<typeof aResource>, uid: string) =>
  resource.create(wanted, { owner: owner(uid), key: 'k', signal });

test('a text that looks like a mark is none', async (t) => {
  const stage = aResource();
  const { id } = await create(stage, '1');
  t.is(await stage.resource.find?.(owner('7'), { signal }), undefined);
  t.deepEqual(await stage.resource.find?.(owner('1'), { signal }), id);
  t.deepEqual(await stage.resource.observe?.(id, { owner: owner('1'), signal }), {
    state: wanted,
    mark: '1/Silenced/',
  });
});

test('a silence whose mark was removed has no owner', async (t) => {
  const stage = aResource();
  const { id } = await create(stage, '1');
  const [silence] = stage.server.silences();
  const body = JSON.stringify({ ...silence, comment: 'mine now' });
  await stage.server.fetch('https://alerts.example.test/api/v2/silences', { method: 'POST', body });
  t.like(await stage.resource.observe?.(id, { owner: owner('1'), signal }), { mark: 'no owner' });
});

test('after a restore the comment bears the new mark, and the silence ends when it did', async (t) => {
  const stage = aResource();
  const { id } = await create(stage, '1');
  const again = { owner: owner('2'), former: [owner('1')], signal };
  await stage.resource.replaceMark?.(id, again);
  await stage.resource.replaceMark?.(id, again);
  t.deepEqual(await stage.resource.find?.(owner('2'), { signal }), id);
  t.is(stage.server.silences().length, 1);
  const gone = { ...id, id: 'nowhere' };
  await t.throwsAsync(stage.resource.replaceMark!(gone, again), { instanceOf: DefiniteError });
});

test('what has ended by time is not found, not missed, and gone for a deletion', async (t) => {
  const stage = aResource();
  const { id } = await create(stage, '1');
  await stage.clock.advance(3_600_000);
  const context = { owner: owner('1'), signal };
  t.is(await stage.resource.find?.(owner('1'), { signal }), undefined);
  t.like(await stage.resource.observe?.(id, context), { state: wanted });
  stage.server.clear();
  t.deepEqual(await stage.resource.observe?.(id, context), { state: {} });
  t.is(await stage.resource.delete(id, context), undefined);
});
