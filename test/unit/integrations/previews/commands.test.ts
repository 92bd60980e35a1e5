import test from 'ava';
import { firstCursor, newCommands, verbOf } from '../../../../integrations/previews/commands.ts';

for (const [body, verb] of [
  ['/preview', 'create'],
  ['/preview create', 'create'],
  ['thanks!\r\n/preview delete \r\n', 'delete'],
  ['/preview\n/preview delete', 'delete'],
  ['/preview destroy', undefined],
  ['> /preview', undefined],
  ['please /preview', undefined],
  ['/previews', undefined],
  [`${'x\n'.repeat(2000)}/preview`, undefined],
] as const)
  test(`${JSON.stringify(body.slice(0, 40))} asks for ${verb ?? 'nothing'}`, (t) => {
    t.is(verbOf(body), verb);
  });

test('comments are read once, in the order of their ids; edited ones are not read again', (t) => {
  const comment = (id: number, updatedAt: number, body = '/preview') => ({
    id,
    number: 7,
    author: 'ann',
    body,
    updatedAt,
  });
  const first = newCommands(
    [comment(2, 2000), comment(1, 5000, '/preview delete'), comment(3, 2000, 'hello')],
    firstCursor(0),
  );
  t.deepEqual(
    first.commands.map(({ verb }) => verb),
    ['delete', 'create'],
  );
  t.deepEqual(first.cursor, { since: 5000, id: 3 });
  t.deepEqual(newCommands([comment(1, 9000)], first.cursor), { commands: [], cursor: { since: 9000, id: 3 } });
});

test('a command without an author is none', (t) => {
  t.deepEqual(
    newCommands([{ id: 1, number: 7, author: '', body: '/preview', updatedAt: 1 }], firstCursor(0)).commands,
    [],
  );
});
