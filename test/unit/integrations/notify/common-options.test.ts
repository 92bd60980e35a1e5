import test from 'ava';
import { checkedNotifyOptions, type NotifyOptions } from '../../../../integrations/notify/common-options.ts';
import type { Workspace } from '../../../../sdk/index.ts';

const of = { begins: 'Announced', usual: 'AnnouncedByMail' } as const;
const asking = (integrations?: object): Workspace => ({ metadata: {}, spec: { integrations } }) as unknown as Workspace;

test('a workspace asks by the member that its condition names', (t) => {
  const { name, handles } = checkedNotifyOptions('x', {}, of);
  t.is(name, 'announced-by-mail');
  t.deepEqual([handles(asking({ [name]: {} })), handles(asking({})), handles(asking())], [true, false, false]);
  t.true(checkedNotifyOptions('x', { workspaces: 'all' }, of).handles(asking()));
});

for (const [options, message] of [
  [
    { condition: 'Announced' },
    /^x: condition must be words that begin with Announced, such as AnnouncedByMail, not "Announced"$/,
  ],
  [{ condition: 'Silenced' }, /condition must be/],
  [{ condition: 'AnnouncedBYMail' }, /condition must be/],
  [{ condition: `Announced${'X'.repeat(40)}` }, /condition must be/],
  [{ workspaces: 'some' }, /workspaces must be 'asking' or 'all', not "some"$/],
  [{ deadline: 0 }, /deadline must be a whole number from 1/],
] as readonly (readonly [NotifyOptions & { readonly condition?: string }, RegExp])[])
  test(`refused: ${JSON.stringify(options)}`, (t) => {
    t.throws(() => checkedNotifyOptions('x', options, of), { instanceOf: TypeError, message });
  });
