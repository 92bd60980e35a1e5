import test from 'ava';
import { createSeal } from '../../../sdk/host/index.ts';
import { conditionOf, resolveAnnotation, Secret, Workspace } from '../../../sdk/index.ts';
import { parseResolution, resolutionText, signedResolution } from '../../../sdk/provider/journal/resolution.ts';
import { createSequencer } from '../../../sequencer/run/sequencer.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { boxes, key, times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

const place = { namespace: 'default', name: 'sequencer-seal' };
const bytes = (byte: number): Buffer => Buffer.alloc(32, byte);

test('an answer that is signed with a key that was added since is trusted without a restart', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const { client, clock } = target;
  await client.create(Secret, { metadata: place, data: { 'key-1': bytes(1).toString('base64') } });
  const told: string[] = [];
  const stop = new AbortController();
  const running = createSequencer({
    client,
    clock,
    integrations: [boxKeeper(party.resource('opaque'))],
    times,
    random: () => 0.5,
    events: { event: (...[, , reason]) => void told.push(reason) },
  }).run(stop.signal);
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
  };
  await pass(1);
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await target.create(boxes({ a: 1 }));
  await pass(10);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Unknown');

  await client.patch(Secret, place, { type: 'merge', value: { data: { 'key-2': bytes(2).toString('base64') } } });
  const workspace = await target.read();
  const { token } = workspace.status!.guards!.Boxes!;
  const { cluster } = JSON.parse(Object.values(workspace.metadata.annotations ?? {})[0]!) as { cluster: string };
  const answer = parseResolution(`adopt@${token}={"slot":"a","id":"${party.boxes[0]?.id}"}`)!;
  const text = resolutionText(signedResolution(createSeal(cluster, [bytes(2)]), { workspace, type: 'Boxes' }, answer));
  const annotations = { [resolveAnnotation('Boxes')]: text };
  await client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await pass(90);
  t.deepEqual(
    told.filter((reason) => reason === 'AnswerNotSigned'),
    [],
  );
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.is(party.boxes.length, 1);
  stop.abort();
  await Promise.all([running, pass(20)]);
});
