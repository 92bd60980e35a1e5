import test from 'ava';
import { resolveAnnotation } from '../../../../../sdk/provider/journal/resolution.ts';
import { refusing } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, restored, said, settled, want } from '../a-keeper.ts';
import { isMirror } from '../guarding.ts';
import { annotate } from '../policed.ts';

const policy = { code: 403, reason: 'Forbidden', message: 'no annotations here' };

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  for (const left of ['b', 'nothing'] as const)
    for (const mirror of ['written', 'refused'] as const)
      test(`after a restore what is not wanted any more is removed once (${identity}, ${left} is left, mirror ${mirror})`, async (t) => {
        const { stage, party, actor, heir } = await aKeeper(identity);
        await stage.create(boxes({ a: 1, b: 1 }));
        await actor.walk();
        await restored(stage);
        await want(stage, { a: null, ...(left === 'nothing' && { b: null }) });
        if (mirror === 'refused') refusing(stage, isMirror, policy);
        const next = heir();
        await settled(stage, next);
        await settled(stage, next);
        t.deepEqual(
          party.boxes.map(({ name }) => name),
          left === 'b' ? ['b'] : [],
        );
        t.is((await said(stage)).split(':')[0], 'Completed', await said(stage));
        t.is(party.calls.filter((call) => call === 'delete a').length, 1);
        t.deepEqual(
          next.events.filter(({ reason }) => reason === 'Duplicate'),
          [],
        );
      });

for (const identity of ['key', 'opaque'] as const)
  test(`after a restore nothing new is made while only the mirror of the earlier uid could be read (${identity})`, async (t) => {
    const { stage, party, actor, heir } = await aKeeper(identity);
    await stage.create(boxes({ a: 1 }));
    await actor.walk();
    await restored(stage);
    await want(stage, { b: 1 });
    const refused = refusing(stage, isMirror, policy);
    const next = heir();
    await t.throwsAsync(settled(stage, next), { message: /nothing was sent, since its intent could not be mirrored/ });
    t.deepEqual(
      party.boxes.map(({ name }) => name),
      ['a'],
    );
    t.regex(await said(stage), /^(Locked|Unknown): .*would hide it if the status were lost: no annotations here/);
    refused.over = true;
    const { token } = (await stage.read()).status?.guards?.Boxes ?? {};
    if (identity === 'opaque') await annotate(stage, { [resolveAnnotation('Boxes')]: `retry@${token}` });
    await settled(stage, next);
    t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b']);
    t.is((await said(stage)).split(':')[0], 'Completed', await said(stage));
  });
