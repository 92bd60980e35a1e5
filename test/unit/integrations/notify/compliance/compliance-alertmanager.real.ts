import test from 'ava';
import { type CaseName, testIntegration } from '../../../../compliance/index.ts';
import { startAlertmanager } from '../../../../system/real/programs/alertmanager.ts';
import { activeSilences, type ShownSilence } from '../fixtures/alertmanager-stand-in.ts';
import { integrationOf, subject } from '../fixtures/alertmanager-subject.ts';

const server = await startAlertmanager();
test.after.always('the server stops', () => server.close());

const all = async (): Promise<readonly ShownSilence[]> =>
  (await (await fetch(`${server.url}/api/v2/silences`)).json()) as readonly ShownSilence[];

/** Ends all active silences, as others would. */
async function expireAll(): Promise<void> {
  for (const { id, status } of await all())
    if (status.state === 'active') await fetch(`${server.url}/api/v2/silence/${id}`, { method: 'DELETE' });
}

/** Cases in which servers do not differ: the kit keeps each call from the server, one in a life, for as long as its lease. */
const elsewhere: readonly CaseName[] = ['signal'];

testIntegration(test.serial, {
  ...subject,
  time: 'real',
  cannot: Object.fromEntries(elsewhere.map((name) => [name, 'proved in virtual time'])),
  async start() {
    await expireAll();
    return {
      integration: (run) => integrationOf(run, { url: server.url, deadline: 1_000, driftInterval: 2_000 }),
      causeDrift: expireAll,
      remote: async () => activeSilences(await all()),
    };
  },
});
