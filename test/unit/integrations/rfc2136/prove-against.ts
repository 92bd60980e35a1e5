import test from 'ava';
import { exchange } from '../../../../integrations/rfc2136/exchange.ts';
import { nameServer } from '../../../../integrations/rfc2136/name-server.ts';
import { cls, type } from '../../../../integrations/rfc2136/wire.ts';
import { systemClock } from '../../../../sdk/index.ts';
import { testIntegration } from '../../../compliance/index.ts';
import { type NameServerOptions, startNameServer } from '../../../system/real/name-server.ts';
import { integrationOf, subject, wordsOf, zone } from './subject.ts';

const nothing = Buffer.alloc(0);

/** Proves the integration in real time against a name server of its own. */
export async function proveAgainst(implementation: NameServerOptions['implementation']): Promise<void> {
  const server = await startNameServer({ implementation, zone });
  test.after.always('the server stops', () => server.close());
  const { host, port, key } = server;
  const left = async () => {
    const records = await server.transfer();
    return records.filter(({ name, type }) => name !== zone && name !== `ns1.${zone}` && type !== 'SOA');
  };
  const names = nameServer({
    server,
    key: { ...key, secret: Buffer.from(key.secret, 'base64') },
    fudge: 15,
    deadline: 5_000,
    clock: systemClock,
    exchange,
  });
  /** Removes what the previous life has left. */
  const empty = async () => {
    const changes = (await left()).map(({ name }) => ({ name, type: type.ANY, class: cls.ANY, ttl: 0, data: nothing }));
    if (changes.length > 0) await names.update(zone, { prerequisites: [], changes }, new AbortController().signal);
  };
  testIntegration(test.serial, {
    ...subject,
    time: 'real',
    secrets: [key.secret],
    async start() {
      await empty();
      return {
        integration: (run) =>
          integrationOf(run, { server: { host, port }, key, fudge: 1, deadline: 1_000, driftInterval: 2_000 }),
        spoil: empty,
        remote: async () => (await left()).map((record) => wordsOf(record.name, record.type, record.value)),
      };
    },
  });
}
