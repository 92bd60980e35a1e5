/** Mutations of objects. */

/** A change that may make an object invalid. */
export interface Mutation {
  readonly title: string;
  readonly set: Readonly<Record<string, unknown>>;
}

type Json = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const under = (path: string, name: string): string =>
  /^\w+$/.test(name) ? (path === '' ? name : `${path}.${name}`) : `${path}["${name}"]`;

/** Values that replace another one, by its type. */
function* others(value: unknown): Generator<readonly [string, unknown]> {
  yield ['gone', undefined];
  if (typeof value === 'string') {
    yield ['empty', ''];
    yield ['a number', 7];
    yield ['odd', 'No such_Thing!'];
  } else if (typeof value === 'number') {
    yield ['negative', -1];
    yield ['zero', 0];
    yield ['a text', '7x'];
    yield ['huge', 70_000];
  } else if (typeof value === 'boolean') {
    yield ['the other', !value];
    yield ['a text', 'yes'];
  } else if (Array.isArray(value)) {
    yield ['empty', []];
    yield ['no list', {}];
    yield ['doubled', [...value, ...value]];
  } else if (isObject(value)) {
    yield ['empty', {}];
    yield ['a text', 'x'];
  }
}

/** Mutates every field, at every depth, in every way. */
function* at(value: unknown, path: string): Generator<Mutation> {
  if (path !== '') for (const [how, other] of others(value)) yield { title: `${path} ${how}`, set: { [path]: other } };
  if (isObject(value)) {
    yield { title: `${path} with something unknown`, set: { [under(path, 'unknown')]: 1 } };
    for (const [name, member] of Object.entries(value)) yield* at(member, under(path, name));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* at(item, `${path}[${index}]`);
  }
}

/** Yields all mutations of an object. */
export const spoilt = (object: object): Iterable<Mutation> => at(object, '');
