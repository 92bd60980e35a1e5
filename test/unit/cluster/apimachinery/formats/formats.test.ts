import test from 'ava';
import { hasFormat } from '../../../../cluster/apimachinery/formats/formats.ts';
import { formatWarnings } from '../../../../cluster/schema/format-warnings.ts';
import { excessiveGrowth, repeated, workOn } from '../../../growth.ts';

/** Valid and invalid texts by format. */
const texts: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  email: [
    ['a@b', 'Jane <j@x.y>', '"a b"@c.d', 'a@[1.2.3.4]', 'a+b@c', 'a@b (x)'],
    ['', 'a', 'a@', '@b', 'a@b@c', 'a..b@c', 'a b@c', '<a@b', 'a@b,c@d'],
  ],
  duration: [
    ['1s', '5 days', '-3m', '0', 'in 3w', '10 Seconds'],
    ['', '1', 'x', '5 parsecs', '5 y'],
  ],
  mac: [
    ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455', '00:11:22:33:44:55:66:77'],
    ['00:11:22:33:44', '0011.2233', '00:11-22:33:44:55', 'x'],
  ],
  creditcard: [['4111 1111 1111 1111'], ['4111 1111 1111 1112', '1234']],
  'date-time': [
    ['2020-01-01T10:00:00Z', '2020-01-01t10:00:00.5+01:00'],
    ['', '2020-01-01 10:00:00Z', '2020-01-01T24:00:00Z', '2020-02-30T10:00:00Z'],
  ],
  isbn: [['0321751043', '978-0321751041'], ['0321751044']],
  ipv4: [
    ['1.2.3.4', '01.2.3.4'],
    ['1.2.3', '::1'],
  ],
  cidr: [
    ['1.2.3.4/32', '::/0'],
    ['1.2.3.4', '1.2.3.4/33'],
  ],
  uri: [
    ['http://x', '/a', 'urn:x'],
    ['', 'x', 'http://a b/'],
  ],
  hostname: [
    ['a', 'a.example.com', 'ä.de'],
    ['', '-a', 'a_b', 'a.b1'],
  ],
  ssn: [['123-45-6789'], ['123456789']],
  'k8s-short-name': [['a-b'], ['A', '-a', 'a.b']],
  'k8s-long-name': [['a.b'], ['A']],
};

test('what objects have by themselves is not a format', (t) => t.true(hasFormat('constructor', 'x')));

for (const [format, [good, bad]] of Object.entries(texts)) {
  test(`texts of the format ${format} are told from others`, (t) => {
    t.deepEqual(
      [...good, ...bad].filter((text) => hasFormat(format, text)),
      good,
    );
  });
}

test('a definition is warned of unknown formats of texts, once', (t) => {
  const definition = (...formats: string[]) => ({
    spec: {
      versions: [
        {
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                list: { type: 'array', items: { type: 'string', format: formats[0] } },
                map: { type: 'object', additionalProperties: { type: 'string', format: formats[1] } },
                number: { type: 'integer', format: 'nope' },
              },
            },
          },
        },
      ],
    },
  });
  const warningsFor = (subresource: string | undefined, former?: object) =>
    formatWarnings(definition('uuid-4', 'odd'), { former: former as never, subresource });
  t.deepEqual(warningsFor(undefined), ['unrecognized format "odd"']);
  t.deepEqual(warningsFor(undefined, definition('odd', 'date')), []);
  t.deepEqual(warningsFor('status'), []);
});

test('a long number that is not a duration is refused in time linear in its length', async (t) => {
  const check = workOn(
    (size) => repeated('1', size),
    (text) => t.false(hasFormat('duration', text)),
  );
  t.is(await excessiveGrowth(check, { size: 1 << 17 }), undefined);
});
