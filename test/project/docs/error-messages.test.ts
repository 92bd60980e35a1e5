import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { blocksOf } from './examples/blocks.ts';

/** Texts that the message of a code's example holds. `error-examples.test.ts` holds that the example prints it. */
interface Named {
  /** Its subject: a file, an object, a command. */
  readonly object: string;
  /** Part of the subject: a field, an option, a verb, a place. */
  readonly field: string;
  /** Next step. */
  readonly next: string;
}

const named = (object: string, field: string, next: string): Named => ({ object, field, next });

/** One row for each code. */
const table: Readonly<Record<string, Named>> = {
  'E#1001': named('kubeconfig /app/none', 'no such file', '--kubeconfig FILE or KUBECONFIG'),
  'E#1002': named('kubeconfig /app/kubeconfig', '"contexts"', 'kubectl config view'),
  'E#1003': named('kubeconfig /app/kubeconfig', 'context "dev"', 'name one of its contexts: prod'),
  'E#1004': named('kubeconfig /app/kubeconfig', 'user "me"', 'fix the context'),
  'E#1005': named('cluster', 'kubeconfig', 'set KUBECONFIG'),
  'E#1006': named('/app/token.txt', 'tokenFile', 'check the path'),
  'E#1007': named('"no-such-plug-in"', '`exec`', 'run it by hand'),
  'E#1008': named('cluster', 'KUBERNETES_SERVICE_HOST', 'give a kubeconfig'),
  'E#1009': named('https://127.0.0.1:9', 'proxy-url', 'see the kubeconfig'),
  'E#1011': named('"workspaces.se.quencer.io"', 'get on', 'grant it'),
  'E#1012': named('workspaces.se.quencer.io', '"WorkspaceList"', 'kubectl get crds'),
  'E#1013': named('workspaces.se.quencer.io', 'version v1', 'run the release that wrote it'),
  'E#1014': named('workspaces.se.quencer.io', 'condition', 'kubectl describe crd workspaces.se.quencer.io'),
  'E#1015': named('workspaces.se.quencer.io', 'status.host', 'sequencer crds | kubectl apply -f -'),
  'E#1016': named('workspaces.se.quencer.io in all namespaces', 'get, list, watch, patch', '`sequencer manifests`'),
  'E#1017': named('workspaces.se.quencer.io', 'no longer on the server', 'sequencer crds | kubectl apply -f -'),
  'E#2000': named('Map.groupBy', 'is not a function', '--log-level debug'),
  'E#2001': named('sequencer dev', '--onse', 'did you mean --once?'),
  'E#2002': named('shop.yaml', 'no such file', 'name a YAML file'),
  'E#2003': named('shop.yaml', ':2:1', 'fix it there'),
  'E#2004': named('shop.yaml:1', 'metadata.name', 'every document is one object with'),
  'E#2005': named('Node 20.20.2', '22.20', 'npm install -D node@24'),
  'E#2010': named('config acme.config.ts', 'config', '--config FILE'),
  'E#2011': named('config sequencer.config.js', 'set ACME_TOKEN', '--log-level debug'),
  'E#2012': named('config sequencer.config.js', 'integrations[0]', 'export const integrations'),
  'E#2013': named('config sequencer.config.js', 'imports /app/acme.js', '--config-in-image'),
  'E#2020': named('https://127.0.0.1:9', 'GET /version', 'check that the cluster runs'),
  'E#2021': named('resource "workspaces"', 'cannot list', '`sequencer manifests`'),
  'E#2022': named('Workspace shop', 'spec.componants', 'did you mean components?'),
  'E#2023': named('gizmo.yaml:1', 'kind Gizmo in acme.example/v1', 'check apiVersion and kind'),
  'E#2024': named('ConfigMap default/one', 'metadata.finalizers: acme.example/held', 'try again after the deletion'),
  'E#2030': named('no-such-folder/kubeconfig', 'its folder', 'create it first'),
  'E#2031': named('default/shop', 'Acme  Error', 'fix the reasons'),
  'E#2032': named('default/shop', 'Acme  In Progress', '--timeout sets a longer limit'),
  'E#2033': named('ConfigMap default/one', 'metadata.finalizers: acme.example/held', '--timeout sets a longer limit'),
  'E#2035': named('acme/dns', 'not a directory', 'name a folder that may be written to'),
  'E#2036': named('no-such-program', 'PATH', 'on Windows scripts are run by cmd /c'),
  'E#2037': named('package.json', 'this is already a project', 'sequencer new integration NAME adds to it'),
  'E#2038': named('sequencer new', '"AcmeDns"', 'did you mean acme-dns?'),
  'E#2040': named('sequencer resolve', 'a workspace and a condition', 'sequencer resolve shop DNS'),
  'E#2042': named('sequencer adopt', 'the uid that it had', 'sequencer adopt shop --was UID'),
  'E#2050': named('shop.yaml:1', 'serves no workspaces', 'sequencer crds | kubectl apply -f -'),
  'E#2051': named('map.yaml', 'only ConfigMap', 'apiVersion: se.quencer.io/v1alpha1, kind: Workspace'),
  'E#2060': named('Lease default/sequencer', 'taken by "another"', 'look at the API server'),
  'E#2061': named('controller acme', 'default', 'a reconciler must end when its signal aborts'),
  'E#2062': named('192.0.2.1:8080', '--health-host', 'choose another --health-port'),
  'E#2070': named('http://127.0.0.1:9', 'describe', 'HOOKS_SECRET is the secret'),
  'E#3001': named('config sequencer.config.js', 'are named "memory-dns"', 'give one of them another name'),
  'E#3003': named('config sequencer.config.js', 'DNS after Components after DNS', 'remove one of these from `after`'),
  'E#3010': named('Secret default/sequencer-seal', 'key-1', 'put a key of 32 random bytes there'),
  'E#3011': named('Secret sequencer-seal', 'namespace "default"', '--operator-namespace NAME'),
  'E#3020': named('DNS', 'journal has format 2', 'run that release again'),
};

const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
const messages = new Map(
  page
    .split(/^### (?=E#\d{4}$)/m)
    .slice(1)
    .map((section) => [section.slice(0, 6), blocksOf(section).find(({ language }) => language === 'text')!.text]),
);

test('every code has its row, and every row its code', (t) => {
  t.deepEqual(Object.keys(table), [...messages.keys()]);
});

for (const [code, { object, field, next }] of Object.entries(table))
  test(`the message of ${code} names object, field and next step, without a look elsewhere`, (t) => {
    const text = messages.get(code) ?? '';
    for (const part of [object, field, next]) t.true(text.includes(part), `${part} in ${text}`);
    t.notRegex(text, /sequencer explain/);
    t.true(text.lastIndexOf(next) > text.indexOf(': '), 'the reason comes first, the advice after');
  });
