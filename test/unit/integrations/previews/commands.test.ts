import test from 'ava';
import { cursorBefore, firstCursor, newCommands, verbOf } from '../../../../integrations/previews/commands.ts';

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

test('a time in the future, of a host whose clock is wrong or of an edited memory, is not waited for', (t) => {
  const future = { number: 7, author: 'a', body: '/preview', updatedAt: 8.64e15 };
  const read = newCommands([{ ...future, id: 1 }], firstCursor(5_000_000));
  t.is(read.commands.length, 1);
  const next = cursorBefore(5_000_000, read.cursor);
  t.deepEqual(next, { since: 5_000_000, id: 1 });
  t.is(newCommands([{ ...future, id: 2, updatedAt: 5_000_001 }], next).commands.length, 1);
  t.deepEqual(cursorBefore(5_000_000, { since: 1e300, id: 3 }), { since: 5_000_000, id: 3 });
});
