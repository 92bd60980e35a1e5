/** Certificate extensions for key usages. */

import { der, extension, oid, sequence, tags } from '../../pki/der.ts';

/** Bits of the KeyUsage extension. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** Object identifiers of extended usages, in the order of the extension. */
const extendedUsages: readonly (readonly [usages: readonly string[], dotted: string])[] = [
  [['any'], '2.5.29.37.0'],
  [['server auth'], '1.3.6.1.5.5.7.3.1'],
  [['client auth'], '1.3.6.1.5.5.7.3.2'],
  [['code signing'], '1.3.6.1.5.5.7.3.3'],
  [['email protection', 's/mime'], '1.3.6.1.5.5.7.3.4'],
  [['ipsec end system'], '1.3.6.1.5.5.7.3.5'],
  [['ipsec tunnel'], '1.3.6.1.5.5.7.3.6'],
  [['ipsec user'], '1.3.6.1.5.5.7.3.7'],
  [['timestamping'], '1.3.6.1.5.5.7.3.8'],
  [['ocsp signing'], '1.3.6.1.5.5.7.3.9'],
  [['microsoft sgc'], '1.3.6.1.4.1.311.10.3.3'],
  [['netscape sgc'], '2.16.840.1.113730.4.1'],
];

/** Encodes a BIT STRING without trailing zeroes. */
function flags(set: ReadonlySet<number>): Buffer {
  const last = Math.max(...set);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of set) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  const content = Buffer.concat([Buffer.from([7 - (last & 7)]), bytes]);
  return der(tags.bits, content);
}

/** Returns the extensions for usages and basic constraints; no certificate is an authority. */
export function usageExtensions(usages: readonly string[]): readonly Buffer[] {
  const own = new Set(usages.map((usage) => keyUsages[usage]).filter((bit) => bit !== undefined));
  const extended = extendedUsages.filter(([names]) => names.some((name) => usages.includes(name)));
  return [
    ...(own.size > 0 ? [extension('2.5.29.15', flags(own), true)] : []),
    ...(extended.length > 0 ? [extension('2.5.29.37', sequence(...extended.map(([, dotted]) => oid(dotted))))] : []),
    extension('2.5.29.19', sequence(), true),
  ];
}
