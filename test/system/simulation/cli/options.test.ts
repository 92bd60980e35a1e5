import test from 'ava';
import { optionsOf } from './options.ts';
import { coverageTable, outcomeTable, strikeTable } from './report.ts';
import { dealt } from './shares.ts';

test('the command line has defaults for everything', (t) => {
  const { lives, seed, identities, protocols, life, trace } = optionsOf([]);
  t.deepEqual({ lives, seed, life, trace }, { lives: 1000, seed: '1', life: undefined, trace: false });
  t.is(identities.length, 4);
  t.deepEqual(
    protocols.map(({ name }) => name),
    [
      'ensure',
      'guard',
      'things',
      'sequencer',
      'original guard',
      'original guard, lock time-out',
      'record after create',
    ],
  );
});

test('what makes no sense is refused, with what was expected', (t) => {
  t.throws(() => optionsOf(['--identity', 'x']), { message: /one of name, tag, key, opaque/ });
  t.throws(() => optionsOf(['--protocol', 'x']), { message: /one of ours, ensure/ });
  t.throws(() => optionsOf(['--lives', 'many']), { message: '--lives must be a number, 0 or more; found "many"' });
  t.throws(() => optionsOf(['--part', '3/2']), { message: '--part must be K/N, with K from 1 to N; found "3/2"' });
  t.throws(() => optionsOf(['--unheard']), { instanceOf: TypeError });
});

test('the tables say what came of lives, and what really struck', (t) => {
  const tally = {
    scenario: undefined,
    protocol: 'guard',
    identity: 'tag',
    lives: 200,
    duplicates: 0,
    leaks: 1,
    stuck: 2,
    human: 3,
    violated: 4,
    effects: 5,
    struck: new Map([['pause', 50] as const]),
    coverage: new Map([['state: done', 7]]),
    failed: [],
  } as const;
  t.regex(outcomeTable([tally]), /random +guard +tag +200 +0 +1 +2 +4 +0 +3$/);
  t.regex(strikeTable([tally]), /^pause +25\.0 %$/m);
  t.regex(coverageTable([tally]), /^ +7 {2}state: done\nnever reached: absent, none, none ambiguous,/);
});

test('lives are dealt out in equal parts to protocols and identities, a tenth to each control', (t) => {
  const options = optionsOf(['--lives', '1000', '--part', '2/3']);
  t.deepEqual(options.part, { index: 2, count: 3 });
  const shares = dealt(options);
  const livesOf = (name: string) =>
    shares.filter(({ protocol }) => protocol === name).reduce((sum, { lives }) => sum + lives, 0);
  t.deepEqual(['ensure', 'guard', 'things', 'sequencer'].map(livesOf), [252, 252, 248, 248]);
  t.is(livesOf('original guard'), 100);
  t.true(shares.every(({ lives }) => lives > 0 && lives <= 100));
});
