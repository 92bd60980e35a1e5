import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { exclusiveChanges } from '../../../../integrations/dns/exclusive-changes.ts';
import type { DnsChange } from '../../../../integrations/dns/records.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

const zone = 'example.test';
const context = (signal: AbortSignal = new AbortController().signal) => ({ owner: 'me', signal });
const removal = (name: string): DnsChange => ({ op: 'delete', zone, name, records: [] });
const silent = { publish: async () => {}, remove: async () => undefined };

test('changes of one name wait for each other, those of others do not', async (t) => {
  const calls: string[] = [];
  const { apply } = exclusiveChanges(zone, {
    ...silent,
    async remove({ name }) {
      calls.push(`begin ${name}`);
      await setImmediate();
      calls.push(`end ${name}`);
      return 'left';
    },
  });
  const remarks = await Promise.all(['a', 'a', 'b'].map((label) => apply(removal(`${label}.${zone}`), context())));
  t.deepEqual(remarks, ['left', 'left', 'left']);
  const ofA = calls.filter((call) => call.endsWith(` a.${zone}`));
  t.deepEqual(ofA, [`begin a.${zone}`, `end a.${zone}`, `begin a.${zone}`, `end a.${zone}`]);
  t.true(calls.indexOf(`begin b.${zone}`) < calls.indexOf(`end a.${zone}`));
});

test('a name outside of the zone is refused before anything is sent', async (t) => {
  const { apply, refuses } = exclusiveChanges(zone, {
    ...silent,
    remove: async () => t.fail(),
  });
  const stray = { ...removal('www.other.test'), zone: 'other.test' };
  t.regex(refuses(stray) ?? '', /other\.test/);
  await t.throwsAsync(apply(stray, context()), { instanceOf: DefiniteError });
});

test('a change whose signal was aborted while it waited is not sent', async (t) => {
  const { apply } = exclusiveChanges(undefined, { ...silent, remove: async () => t.fail() });
  await t.throwsAsync(apply(removal(`www.${zone}`), context(AbortSignal.abort())), { name: 'AbortError' });
});
