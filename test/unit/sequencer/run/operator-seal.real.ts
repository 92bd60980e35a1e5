import test from 'ava';
import { createSeal } from '../../../../sdk/host/index.ts';
import { createClient, loadConnection, resolveAnnotation, Secret } from '../../../../sdk/index.ts';
import { operatorSeal } from '../../../../sequencer/run/operator-seal.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { startRealServer } from '../../../system/real/server.ts';
import { aWorkspace } from '../../a-workspace.ts';

const server = await startRealServer({ controllers: false });
test.after.always('kube-apiserver stops', () => server.close());

test('kube-apiserver: a key that was added to the Secret is taken up when its signature is met', async (t) => {
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  t.teardown(() => client.close());
  const clock = createManualClock();
  const seal = operatorSeal({ client, operatorNamespace: 'default', clock });
  await seal.load(new AbortController().signal);
  const first = seal.current().sign('text')!;
  const added = Buffer.alloc(32, 2);
  const data = { 'key-2': added.toString('base64') };
  await client.patch(Secret, { namespace: 'default', name: 'sequencer-seal' }, { type: 'merge', value: { data } });
  const newest = createSeal('', [added]).sign('text')!;
  const answered = aWorkspace({ annotations: { [resolveAnnotation('DNS')]: `adopt@7={"id":"a"} seal=${newest}` } });
  t.is(await seal.refreshFor(answered), 60_000);
  await clock.advance(60_000);
  t.is(await seal.refreshFor(answered), 0);
  t.is(seal.current().sign('text'), newest);
  t.is(seal.current().verify('text', first), 'valid');
});
