import { join } from 'node:path';
import test from 'ava';
import { configFileOf, loadConfigFile } from '../../../../../sequencer/cli/manifests/config-file.ts';
import { aFolder } from '../../../a-folder.ts';

const integration = "{ name: 'a', condition: 'A', handles: () => true, connect: () => ({}), secrets: [token] }";
const type = { 'package.json': '{"type":"module"}' };

test.serial('a config that imports packages alone is taken as it is', async (t) => {
  const text = `import { ok } from 'node:assert';\nconst token = process.env.TOKEN ?? '';\nok(true);\nexport const integrations = [${integration}];\n`;
  const folder = await aFolder(t, { ...type, 'sequencer.config.js': text });
  const loaded = await loadConfigFile(join(folder, 'sequencer.config.js'));
  t.is(loaded.integrations.length, 1);
  t.deepEqual(await configFileOf(loaded), { name: 'sequencer.config.js', text });
});

test.serial('a config that imports other files is refused by their names', async (t) => {
  const config = "import { token } from './token.js';\nexport const integrations = [];\nvoid token;";
  const folder = await aFolder(t, { ...type, 'sequencer.config.js': config, 'token.js': "export const token = '';" });
  const loaded = await loadConfigFile(join(folder, 'sequencer.config.js'));
  await t.throwsAsync(configFileOf(loaded), { code: 'E#2013', message: /imports .*token\.js: a ConfigMap holds/ });
});

test.serial('a config that holds a credential is refused, and the credential is not reported', async (t) => {
  const config = `const token = 'correct-horse';\nexport const integrations = [${integration}];`;
  const folder = await aFolder(t, { ...type, 'sequencer.config.js': config });
  const loaded = await loadConfigFile(join(folder, 'sequencer.config.js'));
  const error = await t.throwsAsync(configFileOf(loaded), { code: 'E#2013', message: /holds a credential/ });
  t.notRegex(error.message, /correct-horse/);
});
