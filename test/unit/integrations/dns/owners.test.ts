import test from 'ava';
import {
  holderIn,
  isOurs,
  leftAlone,
  markedOwner,
  ownerMark,
  ownerName,
  ownerNameWithoutStar,
  takenError,
} from '../../../../integrations/dns/owners.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

test('a mark tells its owner, another text tells none', (t) => {
  t.is(ownerName('www.example.test'), '_op-owner.www.example.test');
  t.is(ownerMark('uid-1'), 'heritage=workspace-sequencer,owner=uid-1,condition=DNS');
  t.is(markedOwner(ownerMark('uid-1')), 'uid-1');
  t.is(markedOwner('heritage=external-dns,owner=uid-1'), undefined);
  t.is(markedOwner('v=spf1 -all'), undefined);
});

test('the mark of a wildcard has a name of its own, where a star may stand at the beginning only', (t) => {
  t.is(ownerNameWithoutStar('www.example.test'), '_op-owner.www.example.test');
  t.is(ownerNameWithoutStar('*.example.test'), '_op-owner._op-owner.example.test');
});

test('the holder of a name is reported in words, whatever the texts beside it', (t) => {
  t.is(holderIn([]), undefined);
  t.is(holderIn([ownerMark('uid-1')]), 'uid-1');
  t.is(holderIn([ownerMark('uid-1'), 'v=spf1 -all']), 'uid-1, v=spf1 -all');
});

test('a taken name is a refusal that names the holder', (t) => {
  const error = takenError('www.example.test', 'uid-1');
  t.true(error instanceof DefiniteError);
  t.is(error.message, 'www.example.test is taken by the owner uid-1: remove it there, or ask for another name');
  t.regex(takenError('www.example.test', undefined).message, /^www.example.test is taken by an owner without a mark/);
  t.is(leftAlone('www.example.test', 'uid-1'), 'www.example.test belongs to uid-1 and was left alone');
});

test('a name is ours by the uid of the workspace, and by an earlier one', (t) => {
  const context = { owner: 'now', former: ['before'] };
  t.deepEqual(
    ['now', 'before', 'other', undefined].map((holder) => isOurs(holder, context)),
    [true, true, false, false],
  );
});
