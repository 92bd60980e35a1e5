import test from 'ava';
import { describeValue, isPlainJson } from '../../../../sdk/provider/describe-value.ts';

class Id {
  readonly id = 1;
}
const cycle: Record<string, unknown> = {};
cycle.self = cycle;
/** A value with 2^40 paths to its leaves if shared parts are visited once per path. */
let doubled: readonly unknown[] = [];
for (let depth = 0; depth < 40; depth += 1) doubled = [doubled, doubled];

/** An object of so many levels. */
const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const json: readonly (readonly [title: string, value: unknown, isJson: boolean])[] = [
  ['an object', { id: 'a', of: [1, null, true] }, true],
  ['an absent member', { id: 'a', note: undefined }, true],
  ['an object without a prototype', Object.assign(Object.create(null), { id: 1 }), true],
  ['undefined', undefined, false],
  ['NaN', { id: Number.NaN }, false],
  ['a function', { id: () => 1 }, false],
  ['a class instance', { id: new Id() }, false],
  ['a Date', new Date(0), false],
  ['a Map', { of: new Map() }, false],
  ['a bigint', { id: 1n }, false],
  ['a cycle', cycle, false],
  ['what would take for ever', doubled, false],
  ['half of a character in a text', { id: 'a\ud83d' }, true],
  ['half of a character in the name of a member', { 'a\ud83d': 1 }, false],
];
for (const [title, value, isJson] of json)
  test(`${title} is ${isJson ? '' : 'no '}plain JSON`, (t) => t.is(isPlainJson(value), isJson));

const values: readonly (readonly [value: unknown, text: string])[] = [
  ['Done', '"Done"'],
  [undefined, 'undefined'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  [() => 1, 'a function'],
  [Promise.resolve(), 'a Promise'],
  ['x'.repeat(61), 'a text of 61 characters'],
  [[1, 2], 'an array of 2'],
  [new Id(), 'an object that is not plain JSON'],
  [nested(64), 'an object of 385 characters'],
  [nested(65), 'an object of more than 64 levels'],
  [{ of: Array.from({ length: 100_001 }, () => 1) }, 'an object of more than 100000 values'],
  [{ 'a\ud83d': 1 }, 'an object with half of a character in the name of a member'],
  [{ id: 'x'.repeat(60) }, 'an object of 69 characters'],
];
for (const [value, text] of values) test(`what was found is named: ${text}`, (t) => t.is(describeValue(value), text));
