import test from 'ava';
import { tunnelName, tunnelResource } from '../../../../integrations/cloudflare/tunnel-resource.ts';
import { cloudflareTunnels } from '../../../../integrations/cloudflare/tunnels.ts';
import { DefiniteError, systemClock } from '../../../../sdk/index.ts';
import { cloudflareStandIn } from './fixtures/stand-in.ts';
import { account, accountId } from './fixtures/subject.ts';

const { signal } = new AbortController();
const ownerOf = (uid: string) => ({
  ...{ uid, namespace: 'team', workspace: 'shop', condition: 'Tunneling', slot: '' },
  mark: `${uid}/Tunneling/`,
});
const [owner, former, stranger] = [ownerOf('uid-1'), ownerOf('uid-0'), ownerOf('uid-9')];
const rules = [{ service: 'http_status:404' }];

function aResource() {
  const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
  const limits = { clock: systemClock, deadline: 5_000, concurrency: 1 };
  const client = cloudflareTunnels({
    url: 'https://cf.test/client/v4',
    token: account.token,
    accountId,
    fetch,
    ...limits,
  });
  return { tunnels, resource: tunnelResource(client, { prefix: 'ws', driftInterval: 1_000, deadline: 5_000 }) };
}

test('the name of a tunnel is its mark', async (t) => {
  const { tunnels, resource } = aResource();
  t.is(tunnelName('ws', owner), 'ws-uid-1');
  const { id } = await resource.create({ rules }, { owner, key: 'k', signal });
  t.like(await resource.observe?.(id, { owner, signal }), { mark: owner.mark, state: { rules: [] } });
  t.like(await resource.observe?.(id, { owner: stranger, signal }), { mark: owner.mark });
  tunnels.edit(id.id, { name: 'by hand' });
  t.like(await resource.observe?.(id, { owner, signal }), { mark: 'by hand' });
  tunnels.edit(id.id, { name: 'ws-$&$$' });
  t.like(await resource.observe?.(id, { owner, signal }), { mark: '$&$$/Tunneling/' });
});

test('a tunnel of a former uid is renamed, however often, and no other', async (t) => {
  const { tunnels, resource } = aResource();
  const { id } = await resource.create({ rules }, { owner: former, key: 'k', signal });
  await t.throwsAsync(resource.replaceMark!(id, { owner, former: [stranger], signal }), { instanceOf: DefiniteError });
  for (let round = 0; round < 2; round += 1) await resource.replaceMark!(id, { owner, former: [former], signal });
  t.is(tunnels.all[0]?.name, 'ws-uid-1');
  tunnels.clear();
  await t.throwsAsync(resource.replaceMark!(id, { owner, former: [former], signal }), {
    message: /there is no tunnel/,
  });
});
