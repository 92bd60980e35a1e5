import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any code point but surrogates, as fast-check's unit `binary`, which takes a second of CPU time to list them all. */
export const aCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const point = String(text).codePointAt(0);
    if (point === undefined || String.fromCodePoint(point) !== text) throw new TypeError('no character');
    return point < surrogates.first ? point : point - surrogates.count;
  },
);
