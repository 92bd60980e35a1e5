import test from 'ava';
import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { alertmanagerSilences } from '../../../../integrations/notify/alertmanager.ts';
import { natsMessages } from '../../../../integrations/notify/nats.ts';
import { type Mail, smtpMessages } from '../../../../integrations/notify/smtp.ts';
import { conditionOf } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { specOf } from '../fixtures/a-dns-spec.ts';
import { createMemoryStream } from './fixtures/a-stream.ts';
import { activeSilences, alertmanagerStandIn } from './fixtures/alertmanager-stand-in.ts';

test('mails, messages and silences of one environment wait for its parts, and not for one another', async (t) => {
  const stage = await aTargetCluster();
  const { clock } = stage;
  const [provider, stream, alertmanager] = [
    createMemoryDnsProvider({ clock }),
    createMemoryStream(clock),
    alertmanagerStandIn(clock),
  ];
  const mails: Mail[] = [];
  const mail = {
    async send(one: Mail) {
      mails.push(one);
      return { refused: [] };
    },
  };
  const all = { workspaces: 'all' } as const;
  const [from, to] = ['sequencer@example.com', ['team@example.com']];
  const { fetch } = alertmanager;
  const url = 'https://alerts.example.com';
  const actor = stage.actor([
    alertmanagerSilences({ ...all, url, fetch, clock }),
    alertmanagerSilences({ ...all, url, fetch, clock, condition: 'SilencedAtSite2' }),
    smtpMessages({ ...all, server: { host: 'mail' }, from, to, operations: mail }),
    smtpMessages({ ...all, server: { host: 'mail' }, from, to, operations: mail, condition: 'AnnouncedToBosses' }),
    natsMessages({ ...all, servers: ['nats'], stream: 'ENVIRONMENTS', operations: stream }),
    memoryDns({ provider, target: '10.0.0.1', clock }),
  ]);
  const walks = async (): Promise<void> => {
    for (let walk = 0; walk < 8; walk += 1) {
      await actor.walk().catch(() => undefined); // of several changes at once some are stale
      await clock.advance(5_000);
    }
  };
  const told = () => [
    mails.map(({ subject }) => subject),
    stream.messages.length,
    activeSilences(alertmanager.silences()).length,
  ];
  await stage.create(specOf('www'));
  await walks();
  t.is(conditionOf(await stage.read(), 'Ready').status, 'True');
  t.deepEqual(told(), [['default/shop is there', 'default/shop is there'], 1, 0]);
  await stage.delete();
  await walks();
  await t.throwsAsync(stage.read());
  t.deepEqual(told(), [[...Array(2).fill('default/shop is there'), ...Array(2).fill('default/shop is gone')], 2, 0]);
  t.deepEqual(provider.records(), []);
});
