import test from 'ava';
import { silencesAt } from '../../../../integrations/notify/silences.ts';
import { messageOf, systemClock } from '../../../../sdk/index.ts';
import { startAlertmanager } from '../../../system/real/programs/alertmanager.ts';
import { alertmanagerStandIn } from './fixtures/alertmanager-stand-in.ts';

const { signal } = new AbortController();
const labels = [{ name: 'namespace', value: 'default' }];
const nowhere = '00000000-0000-0000-0000-000000000000';

/** Tells what a list of operations comes to, without ids and times. */
async function told(url: string, fetch: typeof globalThis.fetch): Promise<readonly string[]> {
  const silences = silencesAt({ url, authorization: undefined, fetch, clock: systemClock, deadline: 5_000 });
  const lines: string[] = [];
  const tell = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const outcome = await act().then(
      (value) => JSON.stringify(value) ?? 'nothing',
      (error: unknown) => `${(error as Error).name}: ${messageOf(error)}`,
    );
    lines.push(
      `${what}: ${outcome.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/20\d\d-[\dT:.-]+Z/g, 'TIME')}`,
    );
  };
  const endsAt = Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000;
  const silence = { labels, comment: 'one', createdBy: 'test', endsAt };
  await tell('an empty list', () => silences.list(signal));
  const id = await silences.create(silence, signal);
  const other = await silences.create(silence, signal);
  await tell('two of the same are two', async () => id !== other && (await silences.list(signal)).length);
  const seen = async () => {
    const { endsAt: ends, ...rest } = (await silences.read(id, signal))!;
    return { ...rest, isWhole: ends === endsAt };
  };
  await tell('read', seen);
  await tell('commented', async () => silences.comment((await silences.read(id, signal))!, 'two', signal));
  await tell('read again', seen);
  await tell('expired', () => silences.expire(id, signal));
  await tell('read at last', seen);
  await tell('expired again', () => silences.expire(id, signal));
  await tell('one that is nowhere', () => silences.read(nowhere, signal));
  await tell('expire what is nowhere', () => silences.expire(nowhere, signal));
  await tell('no label', () => silences.create({ ...silence, labels: [] }, signal));
  await tell('an empty label', () => silences.create({ ...silence, labels: [{ name: 'a', value: '' }] }, signal));
  return lines;
}

test('the stand-in answers as the real server', async (t) => {
  const server = await startAlertmanager();
  t.teardown(() => server.close());
  const real = await told(server.url, globalThis.fetch);
  t.log(real.join('\n'));
  t.deepEqual(await told('https://stand-in.test', alertmanagerStandIn(systemClock).fetch), real);
});
