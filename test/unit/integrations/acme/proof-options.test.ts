import test from 'ava';
import { checkedProof, type NameProofOptions } from '../../../../integrations/acme/proof-options.ts';
import { aWorkspace } from '../../a-workspace.ts';

const image = 'example.test/node:22@sha256:0';
const byHttp: NameProofOptions = { challenge: 'http-01', responder: { image }, names: ['apps.test'] };

test('names are proved by DNS unless said otherwise', (t) => {
  t.is(checkedProof({}).type, 'dns-01');
  t.is(checkedProof({ ...byHttp, servedAt: 'ingress.infra.svc:80' }).type, 'http-01');
});

test('names that are not allowed are refused with either challenge', (t) => {
  for (const options of [{ names: ['apps.test'] }, byHttp])
    t.deepEqual(checkedProof(options).claimOf(aWorkspace(), ['shop.example.test']), {
      status: 'Error',
      reason: 'shop.example.test: only names within apps.test are allowed (option names of acmeCertificate)',
    });
});

test('a wrong option is refused by its name', (t) => {
  for (const [options, message] of [
    [{ challenge: 'tls-alpn-01' }, /challenge must be dns-01 or http-01/],
    [{ nameServers: ['ns.example.test'] }, /nameServers must be a list/],
    [{ nameServers: ['192.0.2.53:99999'] }, /nameServers/],
    [{ ...byHttp, nameServers: ['192.0.2.53'] }, /nameServers must be left out with challenge http-01/],
    [{ responder: { image } }, /responder must be left out with challenge dns-01/],
    [{ servedAt: '192.0.2.7' }, /servedAt must be left out/],
    [{ ...byHttp, responder: undefined }, /responder must be an object { image }/],
    [{ ...byHttp, responder: { image: 'a b' } }, /responder.image must be an image/],
    [{ ...byHttp, responder: { image, imge: '' } }, /imge/],
    [{ ...byHttp, names: undefined }, /names must be given with challenge http-01/],
    [{ ...byHttp, names: ['a b'] }, /names must be a list of DNS names/],
    [{ ...byHttp, servedAt: 'http://192.0.2.7' }, /servedAt must be HOST or HOST:PORT/],
  ] as const)
    t.throws(() => checkedProof(options as NameProofOptions), { instanceOf: TypeError, message });
});
