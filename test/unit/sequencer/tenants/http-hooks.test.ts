import { randomBytes } from 'node:crypto';
import test from 'ava';
import * as z from 'zod';
import { httpHooks } from '../../../../integrations/http/index.ts';
import { defineTenantIntegration } from '../../../../sequencer/index.ts';
import { startHooksServer } from '../../integrations/http/a-hooks-server.ts';
import { startTwoTenants, type Tenant, tenants } from './fixtures/two-tenants.ts';

const newKey = () => `whsec_${randomBytes(32).toString('base64')}`;

test('two tenants have boxes at a server of hooks each; keys are rotated without a restart of either side', async (t) => {
  const keys: Record<Tenant, string> = { 'team-a': newKey(), 'team-b': newKey() };
  const start = (tenant: Tenant) => startHooksServer({ secret: () => keys[tenant], identity: 'name' });
  const servers = { 'team-a': await start('team-a'), 'team-b': await start('team-b') };
  t.teardown(() => {
    for (const tenant of tenants) servers[tenant].close();
  });
  const boxesAt = (tenant: Tenant) => [...(servers[tenant].places.get('/boxes')?.boxes.values() ?? [])];
  const sizesAt = (tenant: Tenant) => boxesAt(tenant).map(({ wanted }) => wanted);
  const type = defineTenantIntegration({
    condition: 'Box',
    handles: ({ spec }) => spec.integrations?.['acme-box'] !== undefined,
    options: z.strictObject({ server: z.enum(tenants) }),
    secrets: ['keys'],
    create: ({ server }, all) =>
      httpHooks({
        ...{ name: 'acme-box', condition: 'Box', identity: 'name', driftInterval: 3_600_000 },
        ...{ url: `${servers[server].url}/boxes`, secret: all.keys.split(' ') }, // two while one replaces another
      }),
  });
  const first = { ...keys };
  const box = (size: number) => ({ integrations: { 'acme-box': { size, color: 'red' } } });
  const { says, rotate, edit, removeAll } = await startTwoTenants(t, {
    name: 'acme-box',
    type,
    credentials: { 'team-a': { keys: first['team-a'] }, 'team-b': { keys: first['team-b'] } },
    specOf: () => box(1),
  });
  for (const tenant of tenants) {
    await says(tenant, 'Completed');
    t.deepEqual(sizesAt(tenant), [{ size: 1, color: 'red' }], 'its own, and none of the other');
  }

  // In order: both keys, then the server's, then the new one alone. Nothing fails meanwhile.
  const next = newKey();
  await rotate('team-a', { keys: `${first['team-a']} ${next}` });
  await edit('team-a', box(2));
  await says('team-a', 'Completed');
  keys['team-a'] = next;
  await edit('team-a', box(3));
  await says('team-a', 'Completed');
  await rotate('team-a', { keys: next });
  await edit('team-a', box(4));
  await says('team-a', 'Completed');

  // Out of order: the server's first. It is reported, nothing is lost, and the Secret fixes it.
  keys['team-b'] = newKey();
  await edit('team-b', box(2));
  const refused = await says('team-b', 'Error');
  t.regex(refused, /wrong signature/);
  t.false(refused.includes(first['team-b']));
  t.deepEqual(sizesAt('team-b'), [{ size: 1, color: 'red' }]);
  await rotate('team-b', { keys: keys['team-b'] });
  await says('team-b', 'Completed');
  t.deepEqual([sizesAt('team-a'), sizesAt('team-b')], [[{ size: 4, color: 'red' }], [{ size: 2, color: 'red' }]]);
  await removeAll();
  t.deepEqual([sizesAt('team-a'), sizesAt('team-b')], [[], []]);
});
