import test from 'ava';
import type { GuardEntry } from '../../../../../sdk/index.ts';
import { FencingTokens } from '../../../../../sdk/provider/host/fencing-tokens.ts';
import { aWorkspace } from '../../../a-workspace.ts';

function read(resourceVersion: string, entry: Partial<GuardEntry>, uid = 'uid-shop') {
  const workspace = aWorkspace({ guards: { DNS: entry } });
  return { ...workspace, metadata: { ...workspace.metadata, resourceVersion, uid } };
}

test('an ended entry with a lower token than an older read had was put back, and counts as lost', (t) => {
  const tokens = new FencingTokens();
  tokens.see(read('10', { token: 3 }), 'DNS');
  const back = read('11', { token: 1 });
  tokens.see(back, 'DNS');
  t.like(tokens.checkedEntry(back, 'DNS'), { token: 1, lost: true, ambiguous: true });
  t.is(tokens.newestOf(back, 'DNS'), 3);
});

test('one without an end, with a lower token than an older read had, counts as missing while its integration has its claim', (t) => {
  const tokens = new FencingTokens();
  tokens.see(read('10', { token: 3 }), 'DNS');
  const claim = 'se.quencer.io/dns';
  for (const phase of ['none', 'intent', 'unknown', 'gone'] as const)
    t.is(tokens.checkedEntry(read('11', { token: 1, phase }), 'DNS'), undefined);
  const open = read('11', { token: 1, phase: 'intent', claim });
  t.is(tokens.checkedEntry(open, 'DNS'), open.status?.guards?.DNS);
  t.is(tokens.checkedEntry({ ...open, metadata: { ...open.metadata, finalizers: [claim] } }, 'DNS'), undefined);
});

test('all else is trusted as it is', (t) => {
  const tokens = new FencingTokens();
  tokens.see(read('10', { token: 3 }), 'DNS');
  for (const workspace of [
    read('9', { token: 1 }),
    read('11', { token: 3 }),
    read('11', { token: 1, lost: true }),
    read('11', { token: 1 }, 'another'),
  ])
    t.is(tokens.checkedEntry(workspace, 'DNS'), workspace.status?.guards?.DNS);
  t.is(tokens.checkedEntry(read('11', { token: 1 }), 'Mail'), undefined);
});

test('what is forgotten is trusted again', (t) => {
  const tokens = new FencingTokens();
  tokens.see(read('10', { token: 3 }), 'DNS');
  tokens.forget('default/shop');
  t.like(tokens.checkedEntry(read('11', { token: 1 }), 'DNS'), { token: 1 });
  t.is(tokens.newestOf(read('11', { token: 1 }), 'DNS'), 0);
});
