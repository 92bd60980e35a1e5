import test from 'ava';
import { LeadershipLostError, Lease, withLeaderElection } from '../../../sdk/index.ts';
import { eventually } from './sequencing.ts';
import { startClientsUnderTest } from './servers.ts';

const times = { leaseDuration: 2000, renewDeadline: 1000, retryPeriod: 100 };

for (const { name, client, faults, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test(`${name}: one of three leads, the next takes over at once, and one that the server does not answer stops`, async (t) => {
    const lease = { namespace: 'default', name: 'story' };
    const leaders: string[] = [];
    let atOnce = 0;
    let most = 0;
    const candidates = ['a', 'b', 'c'].map((identity) => {
      const stop = new AbortController();
      const controller = {
        name: identity,
        run: async (signal: AbortSignal) => {
          leaders.push(identity);
          atOnce += 1;
          most = Math.max(most, atOnce);
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
          atOnce -= 1;
        },
      };
      const elected = withLeaderElection({ ...times, client, lease, identity, controllers: [controller] });
      const ended = elected.run(stop.signal).then(
        () => 'stopped',
        (error: unknown) => error,
      );
      return { identity, stop, ended };
    });
    const candidate = (identity: string | undefined) => candidates.find((one) => one.identity === identity)!;
    await eventually('there is a leader', async () => leaders.length === 1 || undefined);
    const first = candidate(leaders[0]);
    first.stop.abort();
    t.is(await first.ended, 'stopped');
    await eventually('there is another', async () => leaders.length === 2 || undefined);
    t.is((await client.get(Lease, lease)).spec?.holderIdentity, leaders[1]);

    await faults.pause();
    t.true((await candidate(leaders[1]).ended) instanceof LeadershipLostError);
    faults.resume();
    await eventually('there is a third', async () => leaders.length === 3 || undefined);
    for (const { stop } of candidates) stop.abort();
    t.is(await candidate(leaders[2]).ended, 'stopped');
    t.deepEqual(leaders.toSorted(), ['a', 'b', 'c']);
    t.is(most, 1);
    t.is((await client.get(Lease, lease)).spec?.holderIdentity, '');
  });
}
