import test from 'ava';
import { findSecret, redacted } from '../../../compliance/subject/secret-forms.ts';

const secret = 'tok/6f1c+9a=b"q';
const bytes = Buffer.from(secret);

const shows: readonly (readonly [form: string, text: string])[] = [
  ['as it is', `kept with ${secret}.`],
  ['in JSON', JSON.stringify({ secret })],
  ['URL-encoded', `https://a.example/?q=${encodeURIComponent(secret)}&r=1`],
  ['in hex', `0x${bytes.toString('hex')}00`],
  ['in hex', bytes.toString('hex').toUpperCase()],
  ['in JSON', JSON.stringify({ body: JSON.stringify({ secret }) })],
  ['in JSON', JSON.stringify({ secret }).replaceAll('/', '\\/')],
  ['URL-encoded', encodeURIComponent(encodeURIComponent(secret))],
  ['in HTML', `<b title="${secret.replaceAll('"', '&quot;')}">`],
  ['in HTML', `<b title="${secret.replaceAll('"', '&#34;')}">`],
  ...[0, 1, 2].flatMap((before): [string, string][] => [
    ['in base64', Buffer.from(`${'u'.repeat(before)}${secret}:x`).toString('base64')],
    ['in base64', Buffer.from(`${'u'.repeat(before)}${secret}`).toString('base64url')],
  ]),
];

for (const [index, [form, text]] of shows.entries())
  test(`a secret is seen ${form} (${index + 1}), and taken out`, (t) => {
    const shown = findSecret(['nothing', text], [secret]);
    t.is(shown?.form, form);
    t.regex(shown?.around ?? '', /<secret>/);
    t.is(findSecret([redacted(text, [secret])], [secret]), undefined);
  });

test('what only looks like a secret is none', (t) => {
  t.is(findSecret([secret.slice(1), encodeURIComponent('tok/'), ''], [secret, '']), undefined);
});

test('short secrets are not looked for in encodings that any text has', (t) => {
  t.is(findSecret(['6162'], ['ab']), undefined);
  t.is(findSecret(['ab'], ['ab'])?.form, 'as it is');
});

test('values of query parameters that are named like a secret are taken out of calls', (t) => {
  t.is(redacted('GET /a?page=2&api_key=x1&Access-Token=y2&q=z'), 'GET /a?page=2&api_key=***&Access-Token=***&q=z');
});
