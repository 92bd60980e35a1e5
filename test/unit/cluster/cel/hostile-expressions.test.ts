import test from 'ava';
import { createEnvironment, frameOf } from '../../../cluster/cel/environment.ts';
import { freeValue, typedValue } from '../../../cluster/cel/json-values.ts';
import { types } from '../../../cluster/cel/typing/cel-type.ts';
import { CelError, type Value } from '../../../cluster/cel/values/values.ts';
import { excessiveGrowth } from '../../growth.ts';

const environment = createEnvironment([
  ['self', types.dyn],
  ['other', types.dyn],
]);

/** Returns the value of an expression, or what it is refused with. */
function resultOf(source: string, self: Value, other: Value = null): Value | string {
  const program = environment.compile(source);
  if (!('run' in program)) throw new Error(JSON.stringify(program));
  const frame = frameOf((name) => ({ self, other })[name]);
  try {
    const value = program.run(frame);
    return value instanceof CelError ? value.message : value;
  } catch (error) {
    return (error as Error).message;
  }
}

const exceeded = 'operation cancelled: actual cost limit exceeded';
const texts = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'a'));
const doubled = (start: string, step: string, times: number) => `[${start}]${`.map(x, ${step})`.repeat(times)}`;

// Each is refused before it is done: it would take minutes, or more memory than there is.
for (const [what, source, self] of [
  ['a text as its own pattern', 'self.matches(self)', 'a'.repeat(100_000)],
  ['the matches of a text in itself', 'self.findAll(self) == []', 'ab'.repeat(50_000)],
  ['texts joined to a large one', 'self.join(self.join("")).size() > 0', texts(4000, 200)],
  ['replacements of each character', 'self.replace("a", self).size() > 0', 'a'.repeat(100_000)],
  ['a text that is formatted twice, and so on', `${doubled('self', '"%s%s".format([x, x])', 40)}.size() > 0`, 'a'],
  ['a list that is added to itself, and so on', `${doubled('self', 'x + x', 40)}[0].all(y, y == "")`, ['']],
  ['nested loops', 'self.all(a, self.all(b, self.all(c, a + b == c || true)))', texts(1000)],
  ['a list searched for each item', 'self.all(x, self.indexOf("z") == -1)', Array.from({ length: 20_000 }, () => 'a')],
  ['a list searched by an operator', 'self.all(x, !("z" in self))', Array.from({ length: 20_000 }, () => 'a')],
  ['the largest item for each item', 'self.all(x, self.max() != "")', Array.from({ length: 20_000 }, () => 'a')],
  [
    'a duration of many parts',
    'self.all(x, duration(self[0]) != duration("1s"))',
    ['1ns'.repeat(10_000), ...texts(20_000)],
  ],
  ['texts that are added, and so on', `${doubled('self', 'x + x', 40)}[0] == ""`, 'a'.repeat(1000)],
  ['a deep value compared again and again', 'self.all(a, self.all(b, [self] == [self]))', texts(1000).map((t) => [t])],
] as const)
  test(`costs too much: ${what}`, (t) => {
    const before = process.memoryUsage().rss;
    t.is(resultOf(source, freeValue(self)), exceeded);
    t.true(process.memoryUsage().rss - before < 2 ** 30);
  });

const setType = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
const setOf = (items: unknown) => typedValue(setType as never, items);
const list = (size: number) => freeValue(texts(size));
const text = (size: number) => freeValue('a'.repeat(size));

// In each, the amount of what is charged for grows as the size.
for (const [what, source, make, size, expected] of [
  ['a list mapped', 'self.map(x, x).size() > 0', list, 60_000, true],
  ['a list filtered', 'self.filter(x, true).size() > 0', list, 60_000, true],
  ['a list made a map', 'self.transformMap(i, x, x).size() > 0', list, 60_000, true],
  ['loops that end at once', 'self.all(x, self.exists(y, true))', list, 40_000, true],
  ['sizes of a text', 'other.all(x, self.size() > 0)', text, 40_000, true],
  ['characters of a text', 'other.all(x, self.charAt(1) == "a")', text, 40_000, true],
  ['places in a text', 'self.indexOf(other) == -1', text, 1_000_000, true],
  ['last places in a text', 'self.lastIndexOf(other) == -1', text, 1_000_000, true],
  ['replacements in a text', 'self.replace(other, "") == self', text, 1_000_000, true],
  ['the parts of a text', 'self.split(other).size() == 1', text, 1_000_000, true],
  ['digits of a number', 'int(self) == 1', (size: number) => '1'.repeat(size), 1_000_000, undefined],
  ['digits of a quantity', 'isQuantity(self)', (size: number) => '1'.repeat(size), 400_000, true],
  [
    'a text that is not a duration',
    'duration(self) == duration("1s")',
    (size: number) => '1'.repeat(size),
    1_000_000,
    undefined,
  ],
  ['a text that is not an address', 'isIP(self)', (size: number) => ':'.repeat(size), 1_000_000, false],
  ['a text that is not a version', 'isSemver(self)', (size: number) => '1.'.repeat(size / 2), 1_000_000, false],
  [
    'parameters of an address',
    'url(self).getQuery().size() == 1',
    (size: number) => `https://a/?${'a&'.repeat(size / 2)}`,
    400_000,
    true,
  ],
  ['a set added to a set', '(self + other).size() > 0', (size: number) => setOf(texts(size)), 40_000, true],
  ['a set compared with a set', 'self == other', (size: number) => setOf(texts(size)), 40_000, undefined],
] as const)
  test.serial(`time grows as the size: ${what}`, async (t) => {
    const others = (of: number): Value => {
      if (/set/.test(what)) return setOf(texts(of, 7));
      return /sizes|characters/.test(what) ? list(of) : `b${'a'.repeat(of / 2)}`;
    };
    const prepare = (of: number) => {
      const [self, other] = [make(of), others(of)];
      return () => {
        const value = resultOf(source, self, other);
        if (expected !== undefined) t.is(value, expected);
        t.not(value, exceeded);
      };
    };
    t.is(await excessiveGrowth(prepare, { size }), undefined);
  });

test('a text that is not a number is refused in linear time', (t) => {
  const before = performance.now();
  const digits = '1'.repeat(200_000);
  t.is(resultOf('double(self)', `${digits}x`), "type conversion error from 'string' to 'double'");
  t.is(resultOf('int(self)', `${digits.replaceAll('1', '0')}x`), "type conversion error from 'string' to 'int'");
  t.true(performance.now() - before < 5000);
});

test('numbers out of range are refused as Go does', (t) => {
  t.is(resultOf('double(self)', '1e999'), "type conversion error from 'string' to 'double'");
  t.is(
    resultOf('duration(self)', `${'9'.repeat(40)}ns`),
    "type conversion error from 'string' to 'google.protobuf.Duration'",
  );
  t.is(resultOf('duration(self) == duration("1100ms")', `1.1${'0'.repeat(100)}s`), true);
});

test('texts are ordered by their UTF-8 bytes', (t) => {
  for (const [less, more] of [
    ['a', 'b'],
    ['a', 'aa'],
    ['\uffee', '\u{1f600}'],
    ['\u{1f600}', '\u{1f601}'],
    ['', 'a'],
  ] as const)
    t.is(resultOf('self < other && !(other < self)', less, more), true);
});

test('characters are counted as code points, in long texts too', (t) => {
  const long = `${'a'.repeat(300)}\u{1f600}b\u{1f600}c`;
  for (const [source, expected] of [
    ['self.size()', 304n],
    ['self.charAt(301)', 'b'],
    ['self.charAt(304)', ''],
    ['self.indexOf("b")', 301n],
    ['self.indexOf("\u{1f600}", 301)', 302n],
    ['self.lastIndexOf("\u{1f600}")', 302n],
    ['self.lastIndexOf("\u{1f600}", 301)', 300n],
    ['self.lastIndexOf("a", 400)', -1n],
    ['self.substring(300, 303)', '\u{1f600}b\u{1f600}'],
    [`self.indexOf("${'a'.repeat(70)}\u{1f600}")`, 230n],
    [`self.lastIndexOf("${'a'.repeat(70)}")`, 230n],
    [`self.split("${'a'.repeat(100)}").size()`, 4n],
    ['self.replace("", "-", 1).size()', 305n],
  ] as const)
    t.is(resultOf(source, long), expected, source);
});

test('a list that was added to keeps its items, as does a map', (t) => {
  t.is(resultOf('[[1]].all(a, [a + [2], a + [3]] == [[1, 2], [1, 3]] && (a + [2])[1] == 2)', null), true);
  const twice = '[{"a": 1}.transformMap(k, v, v)].all(m, m.transformMap(k, v, v + 1) == {"a": 2} && m == {"a": 1})';
  t.is(resultOf(twice, null), true);
});
