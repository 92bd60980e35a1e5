/** Marks that are too short, so that two owners may have the same one. */

import type { Owner } from '../../../sdk/index.ts';
import { expect } from '../scenario/report.ts';
import { createObjectFor, nthOtherOwner, renamed } from './other-objects.ts';
import { ResourceCaller } from './resource-caller.ts';

/** Numbers of the workspaces, which no other check uses. */
const numbers = [611, 722, 833, 944];

/** Least length of a mark in bits: of a million owners, two share one with a probability below one in 500. */
const minBits = 48;

/** Alphabets of encoded hashes, with the bits of one character. */
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/^\d+$/, Math.log2(10)],
  [/^[\da-f]+$/i, 4],
  [/^\w+$/, Math.log2(62)],
];

/** Shortest word that is taken for a hash, in characters. */
const minLength = 4;

/** Calls by which an object was created, as text, with its owner and number. */
interface Creation {
  readonly owner: Owner;
  readonly nth: number;
  readonly text: string;
}

/** Creates and deletes an object for another owner. @returns undefined when the third party refuses it, or a call has no text */
async function creationFor(caller: ResourceCaller, nth: number): Promise<Creation | undefined> {
  const { scenario, made } = caller;
  const owner = nthOtherOwner(caller, nth);
  const { length } = scenario.effects.calls;
  const wanted = renamed(made.wanted, (text) => `${text}-${nth}`, made.resource);
  const one = await createObjectFor(caller, owner, [wanted, `${nth}`]);
  const texts = scenario.effects.calls.slice(length).map(({ contents }) => contents);
  if (one === undefined) return undefined;
  await new ResourceCaller(scenario, { ...made, ...one, wanted }).remove('for an object that is there');
  return texts.includes(undefined) ? undefined : { owner, nth, text: texts.join(' ') };
}

/** Reports whether a creation contains the uid of its owner: the mark itself, or a name made of it. */
const hasUid = ({ owner: { uid }, text }: Creation): boolean =>
  [uid, uid.replaceAll('-', '')].some((one) => text.toLowerCase().includes(one.toLowerCase()));

const wordsOf = ({ text }: Creation): readonly string[] => [...new Set(text.match(/\w+/g) ?? [])];

/** Returns the texts that only one creation has sent, without its number and its owner's names. */
function hashesIn(creation: Creation, others: readonly Creation[]): readonly string[] {
  const { owner, nth } = creation;
  const known = [owner.namespace, owner.workspace, owner.slot, owner.uid].join(' ');
  const common = new Set(others.flatMap(wordsOf));
  return wordsOf(creation).filter((word) => !common.has(word) && !word.includes(`${nth}`) && !known.includes(word));
}

const bitsOf = (hash: string): number => hash.length * (alphabets.find(([pattern]) => pattern.test(hash))?.[1] ?? 6);

/** Expects the mark that `create` sends for an owner to be long enough, as far as its calls show it. */
export async function expectLongMark(caller: ResourceCaller): Promise<void> {
  const creations: Creation[] = [];
  for (const nth of numbers) {
    const creation = await creationFor(caller, nth);
    if (creation === undefined || hasUid(creation)) return;
    creations.push(creation);
  }
  const hashes = creations.map((one) =>
    hashesIn(
      one,
      creations.filter((other) => other !== one),
    ),
  );
  const [first = ''] = hashes[0] ?? [];
  const isHash = hashes.every(([hash = '', ...more]) => more.length === 0 && hash.length === first.length);
  if (!isHash || first.length < minLength) return;
  const bits = Math.round(Math.max(...hashes.flat().map(bitsOf)));
  expect(
    bits >= minBits,
    `create marks an object by ${hashes.flat().join(', ')} for different owners: ${bits} bits, so that two owners may share a mark, and find answers the object of another one`,
    'the mark is a hash that is cut too short: put owner.mark on the object as it is or, where fewer characters are allowed, at least 16 hexadecimal characters of its SHA-256',
  );
}
