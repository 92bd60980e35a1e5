import test from 'ava';
import { programPath } from '../owned-process.ts';
import { nameServerAvailable, startNameServer } from './name-server.ts';
import { nameServerPrograms } from './name-server-programs.ts';

const implementations = Object.keys(nameServerPrograms) as (keyof typeof nameServerPrograms)[];

for (const implementation of implementations) {
  const { command, debianPackage } = nameServerPrograms[implementation];
  const available = nameServerAvailable(implementation);

  (available ? test : test.skip)(`${command} serves its zone, over a pause, a kill and a restart`, async (t) => {
    const server = await startNameServer({ implementation, zone: 'smoke.test' });
    t.teardown(() => server.close());

    t.deepEqual(await server.lookup('ns1.smoke.test', 'A'), ['127.0.0.1']);
    t.deepEqual(await server.lookup('absent.smoke.test', 'A'), []);
    t.deepEqual(await server.lookup('ns1.smoke.test', 'TXT'), []);

    await server.pause();
    await t.throwsAsync(server.lookup('ns1.smoke.test', 'A'), { code: 'ETIMEOUT' });
    server.resume();
    t.deepEqual(await server.lookup('smoke.test', 'NS'), ['ns1.smoke.test']);

    await server.kill();
    await t.throwsAsync(server.lookup('ns1.smoke.test', 'A'));
    await server.restart();
    t.deepEqual(await server.lookup('ns1.smoke.test', 'A'), ['127.0.0.1']);
  });

  (available && programPath('dig') !== undefined ? test : test.skip)(
    `${command} lets the holder of the key transfer the zone`,
    async (t) => {
      const server = await startNameServer({ implementation, zone: 'smoke.test' });
      t.teardown(() => server.close());

      const records = await server.transfer();
      t.deepEqual(
        records.map(({ name, type }) => `${type} ${name}`),
        ['SOA smoke.test', 'NS smoke.test', 'A ns1.smoke.test'],
      );
      t.deepEqual(records.at(-1), { name: 'ns1.smoke.test', ttl: 60, type: 'A', value: '127.0.0.1' });
    },
  );

  if (!available) console.log(`skipped: ${command} is not installed (apt-get install ${debianPackage})`);
}
