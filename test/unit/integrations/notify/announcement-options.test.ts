import test from 'ava';
import { checkedAnnouncementOptions } from '../../../../integrations/notify/announcement-options.ts';
import { DefiniteError, type Workspace } from '../../../../sdk/index.ts';

const usual = { condition: 'AnnouncedByTest', message: () => 'usual' };
const environment = { workspace: {} as Workspace, formerUids: [] };

test('what is left out has its default: changes are not reported', (t) => {
  const { message, changes, condition } = checkedAnnouncementOptions('x', {}, usual);
  t.deepEqual(
    [message(environment, 'came'), changes(environment.workspace), condition],
    ['usual', null, 'AnnouncedByTest'],
  );
});

test('what the operator’s function throws says that nothing was sent', (t) => {
  const message = () => {
    throw new Error('no such member');
  };
  const checked = checkedAnnouncementOptions('x', { message }, usual);
  const expected = { instanceOf: DefiniteError, message: 'option message of x throws: no such member' };
  t.throws(() => checked.message(environment, 'came'), expected);
});

for (const [options, message] of [
  [{ message: 'text' }, /^x: message must be a function \(environment, event\) => message$/],
  [{ changes: true }, /^x: changes must be a function \(workspace\) => JSON$/],
  [{ condition: 'Announced' }, /^x: condition must be words that begin with Announced/],
] as const)
  test(`refused: ${Object.keys(options)}`, (t) => {
    t.throws(() => checkedAnnouncementOptions('x', options as never, usual), { instanceOf: TypeError, message });
  });
