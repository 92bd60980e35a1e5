import test from 'ava';
import { readYaml, YamlFault } from '../../../cluster/encoding/yaml.ts';

for (const [text, message] of [
  ['a: [1', "line 1: did not find expected ',' or ']'"],
  ['{a: 1', "line 1: did not find expected ',' or '}'"],
  ['{"a" 1}', "did not find expected ',' or '}'"],
  ['a: "x', 'found unexpected end of stream'],
  ['a:\n\tb: 1', 'line 2: found character that cannot start any token'],
  ['a: b: c', 'mapping values are not allowed in this context'],
  ['- a\nb: c', "line 1: did not find expected '-' indicator"],
  ['a: *x', "unknown anchor 'x' referenced"],
] as const) {
  test(`${JSON.stringify(text)} is not YAML: ${message}`, (t) => {
    t.throws(() => readYaml(text), { instanceOf: YamlFault, message: `yaml: ${message}` });
  });
}

test('YAML 1.1 is read, of several documents the first', (t) => {
  t.deepEqual(readYaml('a: yes\nb: 0o17\nc: 017\n---\nd: 1\n'), {
    value: { a: true, b: 15, c: 15 },
    repeated: [],
  });
});

test('numbers to base 60, times and numbers too large for a double are texts', (t) => {
  const texts = { a: '22:22', b: '1:30.5', c: '2020-01-01', d: '2020-01-01T00:00:00Z', e: '1e400', f: '.', g: '-.' };
  const lines = Object.entries(texts).map(([name, text]) => `${name}: ${text}\n`);
  t.deepEqual(readYaml(lines.join('')).value, texts);
  t.deepEqual(readYaml('{"e": 1e400}').value, { e: '1e400' });
});

test('numbers that JSON does not have are refused', (t) => {
  t.throws(() => readYaml('a: .inf'), { instanceOf: YamlFault, message: 'json: unsupported value: +Inf' });
  t.throws(() => readYaml('a: [-.inf]'), { message: 'json: unsupported value: -Inf' });
  t.throws(() => readYaml('a: .nan'), { message: 'json: unsupported value: NaN' });
});

test('keys that come again are reported by line; the last one counts', (t) => {
  t.deepEqual(readYaml('{"data":{"a":"1","a":"3"},\n"data":{"a":"4"}}'), {
    value: { data: { a: '4' } },
    repeated: ['line 1: key "a" already set in map', 'line 2: key "data" already set in map'],
  });
});

test('brackets in brackets are refused when they are too many, those in texts are not counted', (t) => {
  const brackets = '['.repeat(2000);
  t.throws(() => readYaml(`a: ${brackets}`), { message: /^yaml: exceeded max depth of \d+$/ });
  const texts = `a: "${brackets}"\nb: x${brackets}\nc: |\n  ${brackets}\nd: [${'[], '.repeat(2000)}]\n`;
  t.like(readYaml(texts).value as object, { a: brackets, b: `x${brackets}`, c: `${brackets}\n` });
});
