import test from 'ava';
import { conditionOf, defineIntegration, type Integration } from '../../../../sdk/index.ts';
import { reportBlocked, reportInvalid } from '../../../../sequencer/engine/report-blocked.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';

const idle = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});

for (const text of [`${'x'.repeat(1023)}😀 and more`, 'half of 😀: \ud83d'])
  test(`what stands in the way is reported once, whatever its text: ${JSON.stringify(text.slice(-20))}`, async (t) => {
    const target = await aTargetCluster();
    await target.create();
    const actor = target.actor([]);
    const move = { kind: 'blocked', integration: idle, status: 'Error', reason: text } as const;
    for (let walks = 0; walks < 3; walks += 1) await reportBlocked(actor.host, await target.read(), move);
    t.is(actor.events.length, 1);
    t.true(conditionOf(await target.read(), 'DNS').reason.isWellFormed());
  });

for (const start of ['', 'x'])
  test(`a mistake is reported once where its text is cut at a character of two units: ${start}😀`, async (t) => {
    const target = await aTargetCluster();
    await target.create();
    const actor = target.actor([]);
    const wrong: Integration = {
      ...idle,
      handles: () => {
        throw new Error(`${start}${'😀'.repeat(600)}`);
      },
    };
    for (let walks = 0; walks < 3; walks += 1) await reportInvalid(actor.host, await target.read(), wrong);
    t.is(actor.events.length, 1);
  });
