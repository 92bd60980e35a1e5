import test from 'ava';
import {
  claimPrefix,
  configIntegrationName,
  configText,
  isUsing,
} from '../../../../sequencer/tenants/config-integration-name.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { aClusterConfig, aConfig } from './fixtures/a-config.ts';

test('the claim names type and config, fits a finalizer, and differs with all that may not change', (t) => {
  const name = configIntegrationName(aConfig());
  t.regex(name, /^acme\.dns\.[\da-f]{12}$/);
  const longest = aConfig({ type: 'a'.repeat(63) }, { name: 'b'.repeat(253) });
  t.true(configIntegrationName(longest).length <= 63);
  t.true(configIntegrationName(longest).startsWith(claimPrefix('a'.repeat(63))));
  const others = [
    aConfig({ options: { port: '54' } }),
    aConfig({ type: 'acme2' }),
    aConfig({}, { namespace: 'team-b' }),
    aConfig({}, { name: 'dns2' }),
    aClusterConfig({}, { name: 'dns' }),
  ].map(configIntegrationName);
  t.is(new Set([name, ...others]).size, others.length + 1);
});

test('a config that was restored, or whose Secrets have changed, keeps its claim', (t) => {
  const restored = aConfig({ default: true, secretRefs: { token: { name: 'b', key: 'c' } } }, { uid: 'other' });
  t.is(configIntegrationName(restored), configIntegrationName(aConfig()));
  t.is(configText(restored), 'IntegrationConfig team-a/dns');
  t.is(configText(aClusterConfig()), 'ClusterIntegrationConfig shared');
});

test('a workspace uses a config that it is claimed for, or that its journal names', (t) => {
  const name = configIntegrationName(aConfig());
  const claim = `se.quencer.io/${name}`;
  t.true(isUsing(aWorkspace({ finalizers: [claim] }), name));
  t.true(isUsing(aWorkspace({ guards: { DNS: { phase: 'done', claim } } }), name));
  t.true(isUsing(aWorkspace({ guards: { DNS: { phase: 'gone', claim, late: [{}] } } }), name));
  t.false(isUsing(aWorkspace({ guards: { DNS: { phase: 'gone', claim } } }), name));
  t.false(isUsing(aWorkspace({ finalizers: ['se.quencer.io/acme'] }), name));
});
