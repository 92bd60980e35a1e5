import test from 'ava';
import { markIn, ownerTags, refuseForeign } from '../../../../integrations/s3/tags.ts';
import { DefiniteError } from '../../../../sdk/index.ts';

const ask = { name: 'ws-a', mark: 'uid/Bucket/', signal: new AbortController().signal };

test('a mark is found among other tags', (t) => {
  t.is(markIn([{ Key: 'team', Value: 'a' }, ...ownerTags(ask)]), ask.mark);
  t.is(markIn([{ Key: 'team', Value: 'a' }]), undefined);
  t.is(markIn(undefined), undefined);
});

test('what bears another mark, or none, is refused', (t) => {
  t.notThrows(() => refuseForeign('bucket', ask.mark, ask));
  const refused = (found: string | undefined) =>
    t.throws(() => refuseForeign('user', found, ask), { instanceOf: DefiniteError }).message;
  t.is(
    refused('other'),
    'the user ws-a bears the mark of other: it is left alone; remove it there, or have its owner tag it again',
  );
  t.is(
    refused(undefined),
    'the user ws-a bears no mark: it is left alone; remove it there, or have its owner tag it again',
  );
});
