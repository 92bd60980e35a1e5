import test from 'ava';
import { dnsSubdomainName, labelValueOf } from '../../../../sdk/api/derived-name.ts';

test('a label value is the name as far as one may be as long, else its beginning with a digest', (t) => {
  t.is(labelValueOf('shop.v2'), 'shop.v2');
  t.is(labelValueOf('x'.repeat(63)), 'x'.repeat(63));
  t.is(labelValueOf('x'.repeat(64)), `${'x'.repeat(46)}-7ce100971f64e700`);
  t.not(labelValueOf('x'.repeat(253)), labelValueOf('x'.repeat(252)));
  t.regex(labelValueOf(`${'x'.repeat(40)}-.-.-.-.-.-.${'y'.repeat(20)}`), /^x{40}-[0-9a-f]{16}$/);
});

test('a derived name is the joined parts where these are a name, else one that no other parts make', (t) => {
  t.is(dnsSubdomainName('shop', 'database', 'main'), 'shop-database-main');
  t.is(dnsSubdomainName('shop.v2', 'dns', 'www.example.com'), 'shop.v2-dns-www.example.com');
  t.regex(dnsSubdomainName('shop', 'database', 'Main_1'), /^shop-database-main-1-[0-9a-f]{16}$/);
  t.regex(dnsSubdomainName('shop', 'dns', 'example.com.'), /^shop-dns-example-com-[0-9a-f]{16}$/);
  const long = dnsSubdomainName('x'.repeat(253), 'database', 'main');
  t.regex(long, /^x{236}-[0-9a-f]{16}$/);
  t.not(long, dnsSubdomainName('x'.repeat(253), 'database', 'other'));
  t.not(dnsSubdomainName('shop', 'a', 'B'), dnsSubdomainName('shop', 'a', 'b'));
});
